/** The jobs that hand over what arrived on shared accounts: payments and money in suspense to merchants, and back. */
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { doEachInOrder } from '../worker/claim.js';
import type { Job } from '../worker/worker.js';
import { listPaymentsToHandBack, oldestToHandBackSeconds, type ToHandBack } from './corrections/reversal-store.js';
import { handBackJob, type VoidService } from './corrections/void-service.js';
import type { PaymentId } from './payment.js';
import { type PaymentService, takeOverJob } from './service.js';
import { type HandedOver, listPaymentsHandedOver, oldestHandedOverSeconds } from './store.js';
import { type HandOverService, handOverJob } from './suspense/hand-over-service.js';
import { type HandedOverRecord, listHandedOver, oldestHandedOverRecordSeconds } from './suspense/hand-over-store.js';
import type { SuspenseId } from './suspense/suspense.js';

const paymentsAtOnce = 200;
/** Few, because nothing stops between them. */
const recordsAtOnce = 20;
const byTakeOver: By = { actor: { kind: 'system', name: 'payments' } };

export function takeOverJobOf(database: Database, payments: PaymentService, log: Log): Job {
  return {
    name: takeOverJob,
    everySeconds: 30,
    oldestDueSeconds: () => oldestHandedOverSeconds(database),
    run: (signal) =>
      takeOverAll<HandedOver, PaymentId>(log, signal, {
        list: (failed) => listPaymentsHandedOver(database, failed, paymentsAtOnce),
        idOf: ({ paymentId }) => paymentId,
        subjectsOf: ({ order }) => [order.orderId],
        takeOver: (payment) => takeOverPayment(database, payments, payment),
      }),
  };
}

export function handOverJobOf(database: Database, handOvers: HandOverService, log: Log): Job {
  return {
    name: handOverJob,
    everySeconds: 30,
    oldestDueSeconds: () => oldestHandedOverRecordSeconds(database),
    run: (signal) =>
      takeOverAll<HandedOverRecord, SuspenseId>(log, signal, {
        list: (failed) => listHandedOver(database, failed, recordsAtOnce),
        idOf: ({ record }) => record.suspenseId,
        subjectsOf: ({ orderId }) => [orderId],
        takeOver: (handed) => takeOverSuspense(database, handOvers, handed),
      }),
  };
}

/** The owner of a shared account voids what the merchant of the order has voided, and then the merchant is told. */
export function handBackJobOf(database: Database, voids: VoidService, log: Log): Job {
  return {
    name: handBackJob,
    everySeconds: 30,
    oldestDueSeconds: () => oldestToHandBackSeconds(database),
    run: (signal) =>
      takeOverAll<ToHandBack, PaymentId>(log, signal, {
        list: (failed) => listPaymentsToHandBack(database, failed, paymentsAtOnce),
        idOf: ({ paymentId }) => paymentId,
        subjectsOf: ({ paymentId }) => [paymentId],
        async takeOver({ merchantId, paymentId }) {
          await database.transaction((tx) => voids.takeBack(tx, byTakeOver, paymentId));
          await database.transaction((tx) => voids.endHandBack(tx, merchantId, paymentId));
        },
      }),
  };
}

interface TakeOver<Item, Id> {
  list(failed: readonly Id[]): Promise<readonly Item[]>;
  idOf(item: Item): Id;
  /** Items with a common subject are taken over in their order. */
  subjectsOf(item: Item): readonly string[];
  takeOver(item: Item): Promise<void>;
}

/** What fails stays due, and does not stop the others. Throws when the database cannot be reached. */
async function takeOverAll<Item, Id extends string>(
  log: Log,
  signal: AbortSignal,
  { list, idOf, subjectsOf, takeOver }: TakeOver<Item, Id>,
): Promise<number> {
  const failed: Id[] = [];
  let taken = 0;
  while (!signal.aborted) {
    const due = await list(failed);
    if (due.length === 0) break;
    for (const done of await doEachInOrder(due, subjectsOf, takeOver)) {
      if ('error' in done) {
        failed.push(idOf(done.row));
        log.error({ id: idOf(done.row), err: done.error }, 'money cannot be taken over');
      } else taken += 1;
    }
  }
  return taken;
}

/**
 * First under the merchant of the order, then under the owner of the account. If the process ends between the two, a
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

/** As for payments. An order that does not take the money any more leaves it in suspense, under its merchant. */
async function takeOverSuspense(
  database: Database,
  handOvers: HandOverService,
  handed: HandedOverRecord,
): Promise<void> {
  await database.transaction((tx) => handOvers.receive(tx, byTakeOver, handed));
  await database
    .transaction((tx) => handOvers.match(tx, byTakeOver, handed))
    .catch((error: unknown) => {
      const isRefused = error instanceof RemesaError && ['conflict', 'impossible'].includes(error.kind);
      if (!isRefused) throw error;
    });
  await database.transaction((tx) => handOvers.settle(tx, handed));
}
