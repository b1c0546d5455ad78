/** The job that lets merchants take over payments on shared accounts. */
import type { By } from '../caller.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { isDatabaseUnavailable } from '../postgres/failure.js';
import { inTurns } from '../worker/in-turns.js';
import type { Job } from '../worker/worker.js';
import type { PaymentId } from './payment.js';
import { type PaymentService, takeOverJob } from './service.js';
import { type HandedOver, listPaymentsHandedOver, oldestHandedOverSeconds } from './store.js';

const paymentsRead = 200;
/** Payments of different orders do not wait for one another. */
const paymentsAtOnce = 4;
const byTakeOver: By = { actor: { kind: 'system', name: 'payments' } };

export function takeOverJobOf(database: Database, payments: PaymentService, log: Log): Job {
  return {
    name: takeOverJob,
    everySeconds: 30,
    oldestDueSeconds: () => oldestHandedOverSeconds(database),
    run: (signal) => takeOverAll(database, payments, log, signal),
  };
}

/** A payment that fails stays due, and does not stop the others. Throws when the database cannot be reached. */
async function takeOverAll(
  database: Database,
  payments: PaymentService,
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  const failed: PaymentId[] = [];
  let done = 0;
  const work = async (payment: HandedOver) => {
    if (signal.aborted) return;
    try {
      await takeOverPayment(database, payments, payment);
      done += 1;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failed.push(payment.paymentId);
      log.error({ paymentId: payment.paymentId, err: error }, 'payment cannot be taken over');
    }
  };
  while (!signal.aborted) {
    const due = await listPaymentsHandedOver(database, failed, paymentsRead);
    if (due.length === 0) break;
    await inTurns(due, paymentsAtOnce, work);
  }
  return done;
}

/**
 * First under the merchant of the order, then under the owner of the account. If the process ends between the two, the
 * payment stays due, and the first is done already.
 */
export async function takeOverPayment(
  database: Database,
  payments: PaymentService,
  payment: HandedOver,
): Promise<void> {
  await database.transaction((tx) => payments.takeOver(tx, byTakeOver, payment));
  await database.transaction((tx) => payments.endHandOver(tx, payment));
}
