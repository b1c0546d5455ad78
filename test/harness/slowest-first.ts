import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slow files below `test/`, the slowest first. The summary of a run names the ten slowest. */
const slowFiles = [
  ...['browser/pages', 'operations/first-transfer', 'kyc-documents/corpus', 'commands/alone'],
  ...['users/list-cut', 'faults/users-erasure', 'faults/users-master-key', 'sandbox/scenarios'],
  ...['embedded/lifecycle', 'demo/command', 'commands/beside-a-service', 'access/matrix'],
  ...['kyc-form/completing', 'faults/orders-killed', 'faults/corrections-killed', 'kyc-documents/checkers'],
  ...['faults/webhooks-killed', 'generated/openapi', 'embedded/ownership', 'kyc-form/hostile-senders'],
  ...['demo/demo', 'orders/freeze-is-not-told', 'ledger/rows-over-http', 'kyc/renewing', 'kyc-form/fuzz'],
  ...['corrections/corrections', 'payouts/sending', 'kyc-form/pages', 'orders/information'],
  ...['embedded/privilege', 'kyc/transitions', 'house/sharding', 'kyc/deciding', 'corrections/at-once'],
  ...['faults/graceful-stop', 'faults/equal-requests', 'approvals/actions', 'faults/payouts-killed'],
  ...['payments/mismatches', 'webhooks/health', 'faults/commit-outcome', 'kyc-documents/intake'],
  ...['faults/orders-on-one-quote', 'embedded/kills', 'rates/create-rate', 'orders/claims'],
];
/** Slow files that wait for most of their time: for a lease, a token or a slow reader to end. */
const waitingFiles = [
  ...['webhooks/delivering', 'faults/webhooks-workers', 'faults/database-away'],
  ...['faults/ssrf-matrix', 'webhooks/client-memory', 'tokens/rotation', 'orders/order-model'],
  ...['http/slow-requests', 'faults/embedded-service', 'rates/held-rates', 'screening/room'],
  ...['payments/suspense', 'orders/changed-lists', 'sandbox/clock', 'payouts/operator'],
  ...['postgres/pipelined-reader', 'webhooks/silent-endpoints', 'webhooks/leases', 'operations/stuck'],
  ...['postgres/instance-locks', 'tokens/authority', 'worker/worker', 'faults/webhooks-database-cut'],
];
/** One file that waits follows every two that compute, so that the processors always have work. */
const firstFiles = slowFiles
  .flatMap((file, index) => {
    const waitingFile = index % 2 === 1 ? waitingFiles[(index - 1) / 2] : undefined;
    return waitingFile === undefined ? [file] : [file, waitingFile];
  })
  .map((name) => `/test/${name}.test.ts`);

/**
 * Begins with the slow files, so that no worker is left with one of them at the end. Vitest knows how long files take from
 * the run before, which a fresh clone has not had.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const index = firstFiles.findIndex((file) => moduleId.endsWith(file));
  return index === -1 ? firstFiles.length : index;
}
