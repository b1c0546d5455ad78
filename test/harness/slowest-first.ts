import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slow files below `test/`, the slowest first. The summary of a run names the ten slowest. */
const slowFiles = [
  ...['browser/docs', 'browser/kyc-completing', 'faults/users-master-key', 'faults/webhooks-killed'],
  ...['browser/kyc-script', 'faults/users-erasure', 'sandbox/scenarios', 'browser/kyc-ways'],
  ...['kyc-documents/corpus', 'faults/webhooks-workers', 'browser/kyc-states', 'commands/alone'],
  ...['orders/order-model', 'faults/orders-killed', 'browser/kyc-looks', 'embedded/lifecycle'],
  ...['kyc-form/hostile-senders', 'kyc/renewing', 'faults/embedded-service', 'commands/beside-a-service'],
  ...['operations/first-transfer', 'embedded/ownership', 'ledger/rows-over-http', 'kyc-form/pages'],
  ...['rates/create-rate', 'demo/demo', 'demo/command', 'generated/openapi', 'faults/corrections-killed'],
  ...['corrections/corrections', 'orders/information', 'kyc/deciding', 'payments/suspense'],
  ...['kyc-form/completing', 'kyc-form/fuzz', 'kyc-documents/checkers', 'faults/graceful-stop'],
  ...['faults/commit-outcome', 'faults/orders-on-one-quote', 'faults/payouts-killed', 'payouts/operator'],
  ...['browser/kyc-hostile', 'approvals/actions', 'webhooks/delivering', 'payments/mismatches'],
  ...['payouts/sending', 'kyc-documents/intake', 'faults/equal-requests'],
  ...['corrections/at-once', 'webhooks/health', 'webhooks/many-merchants', 'embedded/kills'],
  ...['embedded/privilege', 'orders/claims', 'kyc/transitions', 'access/matrix', 'house/sharding'],
].map((name) => `/test/${name}.test.ts`);

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
  const index = slowFiles.findIndex((file) => moduleId.endsWith(file));
  return index === -1 ? slowFiles.length : index;
}
