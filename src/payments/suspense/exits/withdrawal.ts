/** Stops the refund of money in suspense before anybody was instructed to pay it. */
import type { Transaction } from '../../../postgres/statement.js';
import type { SuspenseRefunds } from '../../ports.js';
import { refundUnderWay } from '../refusals.js';
import type { SuspenseRecord } from '../suspense.js';

/**
 * Does nothing for a record that is not being paid back. The caller has locked it. Throws
 * `suspense_transition_not_allowed` when the money may have left.
 */
export async function withdrawRefund(
  refunds: Pick<SuspenseRefunds, 'withdraw'>,
  tx: Transaction,
  record: SuspenseRecord,
): Promise<void> {
  if (record.state !== 'REFUND_PENDING') return;
  if (!(await refunds.withdraw(tx, record))) throw refundUnderWay(record);
}
