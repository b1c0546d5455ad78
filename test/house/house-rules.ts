/** The rules of the house that a machine can see, each with a sample that breaks it. */
import { dirname } from 'node:path';
import type { TextFile } from './repository.js';

export interface HouseRule {
  readonly rule: string;
  readonly appliesTo: RegExp;
  /** Where it does not hold, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
  /** The lines (from 1) that break the rule; 0 stands for the file as a whole. */
  readonly faultyLines: (file: TextFile) => number[];
  readonly broken: TextFile;
}

const source = /^src\/.*\.tsx?$/;
const anything = /./;
const ours = /^(src|test|scripts|bench|web|bin|migrations)\//;

export const houseRules: readonly HouseRule[] = [
  {
    rule: 'only src/config/config.ts reads the environment',
    appliesTo: source,
    except: {
      'src/config/config.ts': 'It is the reader.',
    },
    faultyLines: linesWith(/\bprocess\.(env\b|loadEnvFile)|from 'node:process'/),
    broken: { path: 'src/users/service.ts', text: "\nif (process.env['DEBUG']) log();" },
  },
  {
    rule: 'time comes from a clock that tests can move, once per operation',
    appliesTo: source,
    except: {
      'src/clock.ts': 'It is the clock.',
      'src/worker/': 'Leases and pauses run on real time.',
      'src/http/': 'Rate limits, deadlines and measurements run on real time.',
      'src/postgres/': 'Waiting for a server runs on real time.',
      'src/log.ts': 'A log line is stamped when it is written.',
    },
    faultyLines: linesWith(/\bDate\.now\(|\bnew Date\(\s*\)/),
    broken: { path: 'src/rates/service.ts', text: 'const now = new Date();' },
  },
  {
    rule: 'a duplicate is recognised by isDuplicateIn, which also knows how a cluster names it',
    appliesTo: source,
    except: {
      'src/postgres/failure.ts': 'It has isDuplicateIn.',
      'src/log.ts': 'It writes the name into the log.',
    },
    faultyLines: linesWith(/\bconstraint\?:|\.constraint\b/),
    broken: { path: 'src/orders/api/service.ts', text: "if (error.constraint === 'orders_external_id') return;" },
  },
  {
    rule: 'a source file has at most 300 lines: a longer one is two things',
    appliesTo: source,
    faultyLines: ({ text }) => (text.split('\n').length > 301 ? [0] : []),
    broken: { path: 'src/orders/api/service.ts', text: '\n'.repeat(301) },
  },
  {
    rule: 'no file or folder is called utils, helpers, common, shared or manager',
    appliesTo: ours,
    faultyLines: ({ path }) => (/(^|[/.-])(utils?|helpers?|common|shared|managers?)([/.-]|$)/.test(path) ? [0] : []),
    broken: { path: 'src/http/date-utils.ts', text: '' },
  },
  {
    rule: 'nothing is left to be done by a remark in the code',
    appliesTo: anything,
    faultyLines: linesWith(/\b(TO[D]O|FIX[M]E|XX[X])\b/),
    broken: { path: 'docs/guide.md', text: `${'TO'}${'DO'}: write this` },
  },
  {
    rule: 'no file names a folder of the machine that it was written on',
    appliesTo: anything,
    faultyLines: linesWith(/(?<![\w.:)}\]*~-])\/(home|root|Users|work)\/[\w.-]/),
    broken: { path: 'docs/guide.md', text: `see ${'/ho'}me/ada/notes` },
  },
  {
    rule: 'no file names a package registry',
    appliesTo: anything,
    faultyLines: linesWith(
      /\bregistry\.[a-z0-9-]+\.[a-z]+|\b(nexus|artifactory|verdaccio|jfrog)[.]|_auth[T]oken|^\s*registry\s*=/,
    ),
    broken: { path: '.npmrc', text: `${'regi'}stry=https://packages.example.com` },
  },
  {
    rule: 'the lock file names packages and checksums, not where they were fetched from',
    appliesTo: /^package-lock\.json$/,
    faultyLines: linesWith(/"resolved"\s*:/),
    broken: { path: 'package-lock.json', text: '"resolved": "https://example.com/a.tgz"' },
  },
  {
    rule: 'money is never a float: no parseFloat, toFixed or Math.round where amounts are handled',
    appliesTo: /^src\/(money|rates|orders|ledger)\/.*\.ts$/,
    faultyLines: linesWith(/\b(parseFloat|toFixed|toPrecision|Math\.(round|floor|ceil|trunc))\b/),
    broken: { path: 'src/rates/pricing.ts', text: 'const fee = Math.round(amount * 0.01);' },
  },
  {
    rule: 'no call passes a spread of a literal: TypeScript does not check it for unknown properties',
    appliesTo: source,
    faultyLines: linesWith(/\.\.\.[{[]\s*(['"`\w]|$)/),
    broken: { path: 'src/orders/room.ts', text: 'return new OrderService({ ...{ database, log }, users });' },
  },
  {
    rule: 'a comment fits in 120 columns, as the code does',
    appliesTo: ours,
    faultyLines: linesWith(/^(?=.{121})\s*(\/\/|\/\*|\* |-- )(?!.*@type)/),
    broken: { path: 'src/users/service.ts', text: `// ${'Long. '.repeat(20)}` },
  },
  {
    rule: 'the name of a test is a guarantee by itself, and not the end of a sentence that its describe begins',
    appliesTo: /^test\/.*\.(test|suite)\.tsx?$/,
    faultyLines: ({ text }) =>
      [...text.matchAll(/(?:\bit|\))\(\s*['"`](?:that|of|with|without|whose|which|and|or|but|when|for|by|also)\b/g)]
        .filter(({ index }) => !/describe[^\n]*$/.test(text.slice(0, index + 1)))
        .map(({ index }) => text.slice(0, index).split('\n').length),
    broken: { path: 'test/orders/rules.test.ts', text: `${'it('}'that has expired stops nothing', () => {});` },
  },
];

/** The rooms in which neither the noun nor the service begins with what the room owns and what it does not. */
export function roomsWithoutBeginning(files: readonly TextFile[]): string[] {
  const rooms = files.flatMap(({ path }) => /^(src\/[^/]+)\/service\.ts$/.exec(path)?.[1] ?? []);
  const begins = (room: string) =>
    files.some(
      ({ path, text }) =>
        path.startsWith(`${room}/`) &&
        !/(store|schemas|routes|jobs)\.ts$/.test(path) &&
        /^\/\*\*\n( \* .+\n){2,} \*\/\n/.test(text),
    );
  return rooms.filter((room) => !begins(room));
}

/** The folders of the source with more than 16 files of their own: each is two parts, and the second needs a name. */
export function crowdedFolders(files: readonly TextFile[]): string[] {
  const folders = files.filter(({ path }) => source.test(path)).map(({ path }) => dirname(path));
  const filesIn = (folder: string) => folders.filter((other) => other === folder).length;
  return [...new Set(folders)].filter((folder) => filesIn(folder) > 16);
}

export function breaches(rule: HouseRule, files: readonly TextFile[]): string[] {
  const exceptions = Object.keys(rule.except ?? {});
  return files
    .filter(({ path }) => rule.appliesTo.test(path) && !exceptions.some((known) => path.startsWith(known)))
    .flatMap((file) => rule.faultyLines(file).map((line) => (line === 0 ? file.path : `${file.path}:${line}`)));
}

function linesWith(pattern: RegExp): (file: TextFile) => number[] {
  return ({ text }) => text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}
