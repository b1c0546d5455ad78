const { readdirSync, readFileSync } = require('node:fs');
const { join, sep } = require('node:path');

// Imports go down, never sideways or up. The rooms of each floor, the highest first; a room may import what is below.
const floors = [
  ['console'],
  ['sandbox'],
  ['cases'],
  ['operations', 'user-export', 'risk', 'complaints'],
  ['transfer-page'],
  ['payments', 'payouts'],
  ['orders', 'kyc-form'],
  ['bank'],
  ['kyc', 'beneficiaries'],
  ['screening', 'users', 'documents', 'webhooks', 'rates', 'ledger'],
  ['persons'],
  ['approvals'],
  ['tasks'],
  ['hosted-pages'],
  ['merchants', 'operators', 'licensee', 'countries', 'request-log'],
  ['tokens'],
  ['mail'],
  ['changes'],
];
const rooms = floors.flat();
/** The folders of `src/orders/`, in the same way: the noun is the ground, the two kinds of routes are on top. */
const orderFloors = [
  ['operator'],
  ['api'],
  ['preflight'],
  ['placing', 'corrections', 'deadlines', 'erasure'],
  ['rules', 'flow'],
  ['gate'],
  ['disclosure'],
  ['review', 'payin', 'information', 'receipt'],
  ['refunds', 'requote', 'limits', 'owed', 'timeline', 'documents', 'movements'],
  ['order'],
];

const folder = (names) => `^src/(${names.join('|')})/`;
/** Every room may use these; they use no room and no plumbing. */
const ground = '^src/(money/|(ids|caller|clock|random|errors|locale|kyc-level|approval|visible-text|times)\\.ts$)';
const plumbing = '^src/(http|outgoing|postgres|worker|iso20022)/';
/** Messages of banks are text: what reads and writes them may be pure. */
const plumbingWithIo = '^src/(http|outgoing|postgres|worker)/';
/** The command line and the wiring: the top of the house. */
const top = '^src/((main|app|problems)\\.ts$|(commands|startup)/)';
const store = '^src/.+[/-]store\\.ts$';
const service = '[/-]service\\.ts$';
/** Also the handlers of pages, and the files of the sandbox, which hold nothing else. */
const routes = '^src/(.+([/-]routes|-pages|/submit-step)|sandbox/[^/]+|console/.+)\\.tsx?$';
const wiringOfARoom = '^src/[^/]+/room\\.ts$';
/** A file that begins with a comment that calls it pure is held to its word. */
const saidToBePure = readdirSync(join(__dirname, 'src'), { recursive: true })
  .filter((file) => /\.tsx?$/.test(file))
  .filter((file) => /^\/\*\*((?!\*\/)[\s\S])*\bpure\b/i.test(readFileSync(join(__dirname, 'src', file), 'utf8')))
  .map((file) => `^src/${file.replaceAll(sep, '/').replaceAll('.', '\\.')}$`);
/** Types and rules: the noun of each room, its tables of transitions, its prices, its checks. */
const pure = [
  ...saidToBePure,
  '^src/money/',
  '^src/(?!http/|outgoing/|postgres/|worker/|providers/|commands/).+/(transitions|pricing|postings|limits|signature|retry|guard|mid-rate|source-rates|corridor-rates|business-days|corridor|quote|case|zones|requirements|user|merchant|operator|endpoint|event|delivery|order|order-events|attempt|pause|report-rules|reasons|routing|schedule|payin-reference|account|journal|payment|payin-account|matching|references|payer-name|movement-fields|suspense)\\.ts$',
  '^src/[a-z-]+/checks/',
  '^src/beneficiaries/(fields/|destinations/|(beneficiary|masking|validation)\\.ts$)',
];
const inputAndOutput =
  '^(node:)?(fs|http|http2|https|net|tls|dns|dgram|child_process|worker_threads|timers)(/|$)|node_modules/(pg|fastify|pino)/';

/** Imports go down, and those of one floor do not import each other. */
function directionRules(levels, at) {
  const prefix = at === 'src' ? '' : `${at.slice('src/'.length)}-`;
  const inside = (names) => `^${at}/(${names.join('|')})/`;
  const above = (index) => levels.slice(0, index).flat();
  const downOnly = levels.slice(1).map((names, index) => ({
    name: `${prefix}${names.join('-and-')}-import-down-only`,
    comment: `${names.join(', ')} must not know ${above(index + 1).join(', ')}.`,
    severity: 'error',
    from: { path: inside(names) },
    to: { path: inside(above(index + 1)) },
  }));
  const neverSideways = levels
    .filter((names) => names.length > 1)
    .map((names) => ({
      name: `${prefix}${names.join('-and-')}-are-neighbours`,
      comment:
        'What is on one floor does not import each other: declare an interface, the wiring provides the implementation.',
      severity: 'error',
      from: { path: inside(names) },
      to: { path: inside(names), pathNot: `^${at}/$1/` },
    }));
  return [...downOnly, ...neverSideways];
}

const rules = [
  {
    name: 'no-cycles',
    comment: 'Two files that need each other are one thing, or need a third.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-unused-file',
    comment: 'Nothing imports this file and it imports nothing.',
    from: { orphan: true, path: '^src/', pathNot: '^src/main\\.ts$' },
    to: {},
  },
  {
    name: 'ground-floor-stands-alone',
    comment: 'money, ids, caller, clock, random, errors, locale, kyc-level and approval are below everything.',
    from: { path: ground },
    to: { path: '^src/', pathNot: ground },
  },
  {
    name: 'plumbing-knows-no-room',
    comment: 'http, outgoing, postgres, worker and iso20022 are handed what they need by app.ts and the rooms.',
    from: { path: plumbing },
    to: { path: folder([...rooms, 'providers']) },
  },
  {
    name: 'only-tracing-knows-opentelemetry',
    comment: 'Spans have no personal data: one file makes them.',
    from: { path: '^src/', pathNot: '^src/tracing/' },
    to: { path: 'node_modules/@opentelemetry/' },
  },
  {
    name: 'only-app-imports-providers',
    comment: 'Which outside party stands behind a contract is decided in the wiring.',
    from: { path: '^src/', pathNot: '^src/(app\\.ts$|providers/)' },
    to: { path: '^src/providers/' },
  },
  {
    name: 'nobody-imports-the-top',
    comment: 'main.ts and its commands use app.ts; nothing below does.',
    from: { path: '^src/', pathNot: top },
    to: { path: top },
  },
  {
    name: 'app-does-not-import-the-command-line',
    from: { path: '^src/app\\.ts$' },
    to: { path: '^src/(main\\.ts$|commands/|startup/serve\\.ts$)' },
  },
  {
    name: 'settings-are-handed-in',
    comment: 'Only the top reads the configuration; all other files get values as arguments.',
    from: { path: '^src/', pathNot: [top, '^src/config/'] },
    to: { path: '^src/config/', pathNot: '^src/config/rate-source-entries' },
  },
  {
    name: 'pure-files-do-no-io',
    comment: 'Rules are tested without a database, a network or a clock. They may name types of other files.',
    from: { path: pure },
    to: {
      path: [
        inputAndOutput,
        plumbingWithIo,
        store,
        service,
        routes,
        '/(jobs|room|client)\\.ts$',
        '^src/(log|clock)\\.ts$',
      ],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'services-know-no-transport',
    comment: 'A verb of the business does not know how it was called, nor how rows are fetched.',
    from: { path: service },
    to: { path: ['node_modules/(fastify|pg)/', '^src/http/'] },
  },
  {
    name: 'a-store-belongs-to-its-room',
    comment: "Call the other room's service.",
    from: { path: '^src/([^/]+)/' },
    to: { path: store, pathNot: '^src/$1/' },
  },
  {
    name: 'the-top-calls-no-store',
    comment: 'app.ts, main.ts and the ground floor call services.',
    from: { path: '^src/[^/]+\\.ts$' },
    to: { path: store },
  },
  {
    name: 'routes-call-no-store',
    comment: 'A route decodes, calls one verb of a service and encodes. It may name the types of rows.',
    from: { path: routes },
    to: { path: store, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'rooms-are-built-by-the-wiring',
    comment: 'Only app.ts and the command line build rooms.',
    from: { path: '^src/', pathNot: top },
    to: { path: wiringOfARoom },
  },
  {
    name: 'keys-know-no-room',
    comment: 'The vault wraps keys for the rooms without knowing what they seal.',
    from: { path: '^src/keys/' },
    to: { path: folder([...rooms, 'providers', 'http', 'worker']) },
  },
  {
    name: 'sql-stands-in-stores',
    comment: 'Only a store and the plumbing make statements; types of that file are for everybody.',
    from: { path: '^src/', pathNot: ['/[a-z-]*store\\.ts$', plumbing] },
    to: { path: '^src/postgres/statement\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'only-plumbing-opens-connections',
    comment: 'Statements go through Database, which knows what a lost connection means.',
    from: { path: '^src/', pathNot: '^src/(postgres|worker)/' },
    to: { path: 'node_modules/pg/' },
  },
  {
    name: 'notifications-leave-through-outgoing',
    comment: 'A connection that the room opened by itself would go wherever a merchant told it to.',
    from: { path: '^src/webhooks/' },
    to: { path: ['^(node:)?(http|http2|https|net|tls|dns|dgram)(/|$)', 'node_modules/undici/'] },
  },
  {
    name: 'source-does-not-import-tests',
    from: { path: '^src/' },
    to: { path: '^(test|bench)/' },
  },
  {
    name: 'source-uses-declared-dependencies-only',
    comment: 'A package that comes along with another one, or for development only, may be gone tomorrow.',
    from: { path: '^src/' },
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-peer'],
      // Types of JavaScript packages are needed for compiling only.
      dependencyTypesNot: ['type-only'],
      pathNot: 'node_modules/@types/',
    },
  },
  {
    name: 'every-import-exists',
    from: {},
    to: { couldNotResolve: true },
  },
];

module.exports = {
  forbidden: [
    ...directionRules(floors, 'src'),
    ...directionRules(orderFloors, 'src/orders'),
    ...rules.map((rule) => ({ severity: 'error', ...rule })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
