/** Breaks every import rule once, in a small tree of files, and expects dependency-cruiser to see each breach. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textFiles } from './repository.js';
import { deadPatterns } from './rule-patterns.js';

const configuration = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly (IForbiddenRuleType & { readonly name: string })[];
};

/** The rule, the file that breaks it, and what that file imports. */
const samples: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['cases-import-down-only', 'src/cases/a.ts', 'src/sandbox/a.ts'],
  ['operations-and-user-export-and-risk-and-complaints-import-down-only', 'src/operations/a.ts', 'src/sandbox/a.ts'],
  ['operations-and-user-export-and-risk-and-complaints-are-neighbours', 'src/user-export/a.ts', 'src/operations/a.ts'],
  ['transfer-page-import-down-only', 'src/transfer-page/a.ts', 'src/operations/b.ts'],
  ['payments-and-payouts-are-neighbours', 'src/payments/c.ts', 'src/payouts/c.ts'],
  ['payments-and-payouts-import-down-only', 'src/payouts/a.ts', 'src/sandbox/a.ts'],
  ['payments-and-payouts-are-neighbours', 'src/payouts/a.ts', 'src/payments/a.ts'],
  ['orders-and-kyc-form-import-down-only', 'src/orders/a.ts', 'src/sandbox/a.ts'],
  ['orders-and-kyc-form-are-neighbours', 'src/kyc-form/a.ts', 'src/orders/api/service.ts'],
  ['bank-import-down-only', 'src/bank/a.ts', 'src/orders/order/b.ts'],
  ['kyc-and-beneficiaries-import-down-only', 'src/kyc/a.ts', 'src/orders/api/service.ts'],
  ['kyc-and-beneficiaries-import-down-only', 'src/kyc/g.ts', 'src/kyc-form/b.ts'],
  [
    'screening-and-users-and-documents-and-webhooks-and-rates-and-ledger-import-down-only',
    'src/documents/a.ts',
    'src/kyc/b.ts',
  ],
  ['tasks-import-down-only', 'src/tasks/a.ts', 'src/rates/b.ts'],
  ['approvals-import-down-only', 'src/approvals/a.ts', 'src/rates/b.ts'],
  [
    'screening-and-users-and-documents-and-webhooks-and-rates-and-ledger-import-down-only',
    'src/users/a.ts',
    'src/kyc/b.ts',
  ],
  ['persons-import-down-only', 'src/persons/a.ts', 'src/users/b.ts'],
  ['hosted-pages-import-down-only', 'src/hosted-pages/a.ts', 'src/tasks/b.ts'],
  ['sandbox-import-down-only', 'src/sandbox/a.ts', 'src/console/b.ts'],
  [
    'merchants-and-operators-and-licensee-and-countries-and-request-log-import-down-only',
    'src/merchants/a.ts',
    'src/users/b.ts',
  ],
  ['tokens-import-down-only', 'src/tokens/a.ts', 'src/operators/b.ts'],
  ['mail-import-down-only', 'src/mail/a.ts', 'src/tokens/b.ts'],
  ['changes-import-down-only', 'src/changes/a.ts', 'src/tokens/b.ts'],
  ['kyc-and-beneficiaries-are-neighbours', 'src/kyc/c.ts', 'src/beneficiaries/b.ts'],
  [
    'screening-and-users-and-documents-and-webhooks-and-rates-and-ledger-are-neighbours',
    'src/users/c.ts',
    'src/rates/b.ts',
  ],
  [
    'merchants-and-operators-and-licensee-and-countries-and-request-log-are-neighbours',
    'src/merchants/c.ts',
    'src/operators/c.ts',
  ],
  ['orders-api-import-down-only', 'src/orders/api/a.ts', 'src/orders/operator/a.ts'],
  ['orders-preflight-import-down-only', 'src/orders/preflight/a.ts', 'src/orders/api/a.ts'],
  [
    'orders-placing-and-corrections-and-deadlines-and-erasure-import-down-only',
    'src/orders/placing/a.ts',
    'src/orders/preflight/a.ts',
  ],
  [
    'orders-placing-and-corrections-and-deadlines-and-erasure-are-neighbours',
    'src/orders/placing/b.ts',
    'src/orders/corrections/b.ts',
  ],
  ['orders-rules-and-flow-import-down-only', 'src/orders/rules/a.ts', 'src/orders/erasure/a.ts'],
  ['orders-rules-and-flow-are-neighbours', 'src/orders/rules/b.ts', 'src/orders/flow/b.ts'],
  ['orders-gate-import-down-only', 'src/orders/gate/a.ts', 'src/orders/flow/a.ts'],
  ['orders-disclosure-import-down-only', 'src/orders/disclosure/a.ts', 'src/orders/gate/a.ts'],
  [
    'orders-review-and-payin-and-information-and-receipt-import-down-only',
    'src/orders/review/a.ts',
    'src/orders/gate/a.ts',
  ],
  [
    'orders-review-and-payin-and-information-and-receipt-are-neighbours',
    'src/orders/review/b.ts',
    'src/orders/payin/b.ts',
  ],
  [
    'orders-refunds-and-requote-and-limits-and-owed-and-timeline-and-documents-and-movements-import-down-only',
    'src/orders/refunds/a.ts',
    'src/orders/receipt/a.ts',
  ],
  [
    'orders-refunds-and-requote-and-limits-and-owed-and-timeline-and-documents-and-movements-are-neighbours',
    'src/orders/refunds/b.ts',
    'src/orders/requote/b.ts',
  ],
  ['orders-order-import-down-only', 'src/orders/order/copies/a.ts', 'src/orders/documents/a.ts'],
  ['no-unused-file', 'src/users/alone.ts', ''],
  ['ground-floor-stands-alone', 'src/money/a.ts', 'src/log.ts'],
  ['plumbing-knows-no-room', 'src/http/a.ts', 'src/users/d.ts'],
  ['keys-know-no-room', 'src/keys/a.ts', 'src/users/d.ts'],
  ['only-app-imports-providers', 'src/rates/a.ts', 'src/providers/rates/a.ts'],
  ['nobody-imports-the-top', 'src/users/e.ts', 'src/app.ts'],
  ['app-does-not-import-the-command-line', 'src/app.ts', 'src/commands/a.ts'],
  ['settings-are-handed-in', 'src/users/f.ts', 'src/config/config.ts'],
  ['pure-files-do-no-io', 'src/orders/order/transitions.ts', 'node:fs'],
  ['pure-files-do-no-io', 'src/orders/order/refund.ts', 'src/clock.ts'],
  ['pure-files-do-no-io', 'src/rates/board/guard.ts', 'src/postgres/database.ts'],
  ['pure-files-do-no-io', 'src/kyc/checks/names.ts', 'src/kyc/cases/store.ts'],
  ['pure-files-do-no-io', 'src/webhooks/delivery/retry.ts', 'src/clock.ts'],
  ['services-know-no-transport', 'src/orders/api/service.ts', 'src/http/b.ts'],
  ['services-know-no-transport', 'src/kyc/submissions/form-service.ts', 'src/http/b.ts'],
  ['a-store-belongs-to-its-room', 'src/kyc/d.ts', 'src/users/store.ts'],
  ['a-store-belongs-to-its-room', 'src/kyc/e.ts', 'src/webhooks/delivery/delivery-store.ts'],
  ['a-store-belongs-to-its-room', 'src/kyc/f.ts', 'src/rates/corridors/store.ts'],
  ['a-store-belongs-to-its-room', 'src/commands/b.ts', 'src/users/upkeep-store.ts'],
  ['the-top-calls-no-store', 'src/main.ts', 'src/users/store.ts'],
  ['routes-call-no-store', 'src/orders/api/routes.ts', 'src/orders/order/store.ts'],
  ['routes-call-no-store', 'src/orders/payout/operator-routes.ts', 'src/orders/payout/attempt-store.ts'],
  ['routes-call-no-store', 'src/kyc-form/handlers/get-pages.ts', 'src/kyc/submissions/store.ts'],
  ['rooms-are-built-by-the-wiring', 'src/orders/b.ts', 'src/users/room.ts'],
  ['sql-stands-in-stores', 'src/users/g.ts', 'src/postgres/statement.ts'],
  ['only-plumbing-opens-connections', 'src/users/h.ts', 'pg'],
  ['only-tracing-knows-opentelemetry', 'src/users/o.ts', '@opentelemetry/api'],
  ['notifications-leave-through-outgoing', 'src/webhooks/a.ts', 'node:net'],
  ['source-does-not-import-tests', 'src/users/i.ts', 'test/a.ts'],
  ['source-uses-declared-dependencies-only', 'src/users/j.ts', 'undeclared'],
  ['every-import-exists', 'src/users/k.ts', './missing.js'],
  ['no-cycles', 'src/users/l.ts', 'src/users/m.ts'],
];
/** Imports that no rule forbids. The first closes the cycle of the sample. */
const allowed: readonly (readonly [from: string, to: string])[] = [
  ['src/users/m.ts', 'src/users/l.ts'],
  ['src/orders/c.ts', 'src/users/service.ts'],
  ['src/orders/gate/c.ts', 'src/orders/review/c.ts'],
  ['src/users/n.ts', 'src/users/store.ts'],
  ['src/app.ts', 'src/users/room.ts'],
];

let breaches: readonly string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'remesa-import-rules-'));

beforeAll(async () => {
  const files = new Map<string, string[]>();
  for (const [from, to] of [...samples.map(([, ...pair]) => pair), ...allowed]) {
    const specifier = /^(src|test)\//.test(to) ? `${relativeTo(from)}${to.replace(/\.ts$/, '.js')}` : to;
    files.set(from, [...(files.get(from) ?? []), ...(to === '' ? [] : [`import '${specifier}';\n`])]);
    if (/^(src|test)\//.test(to)) files.set(to, files.get(to) ?? []);
  }
  for (const [path, lines] of files) write(path, lines.join('') || 'export {};\n');
  for (const name of ['pg', '@opentelemetry/api', 'undeclared']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  write('package.json', JSON.stringify({ dependencies: { pg: '1.0.0', '@opentelemetry/api': '1.0.0' } }));
  const { output } = await cruise(['src'], {
    ruleSet: { forbidden: [...configuration.forbidden] },
    validate: true,
    baseDir: folder,
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
  });
  if (typeof output === 'string') throw new Error(output);
  breaches = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the import rules', () => {
  it.each(samples)('%s: sees the breach in %s', (rule, from) => {
    expect(breaches.filter((breach) => breach.startsWith(`${rule}: ${from} → `))).not.toEqual([]);
  });

  it('have a sample each', () => {
    const sampled = new Set(samples.map(([rule]) => rule));
    expect(configuration.forbidden.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  it('allow imports that run downwards, a store in its own room, and a room in the wiring', () => {
    const pairs = allowed.map(([from, to]) => `${from} → ${to}`);
    expect(breaches.filter((breach) => pairs.some((pair) => breach.endsWith(pair)))).toEqual([]);
  });

  it('place every folder of orders on a floor', () => {
    const placed = JSON.stringify(
      configuration.forbidden.filter(({ name }) => /^orders-.+-import-down-only$/.test(name)),
    );
    const folders = textFiles().flatMap(({ path }) => /^src\/orders\/([^/]+)\//.exec(path)?.[1] ?? []);
    expect(folders.length).toBeGreaterThan(0);
    expect([...new Set(folders)].filter((name) => !new RegExp(`[(|]${name}[|)]`).test(placed))).toEqual([]);
  });

  it('name files and folders that exist, in every part of their patterns', () => {
    const paths = textFiles().map(({ path }) => path);
    expect(deadPatterns(configuration.forbidden, paths)).toEqual([]);
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function relativeTo(from: string): string {
  return '../'.repeat(from.split('/').length - 1).replace(/^$/, './');
}
