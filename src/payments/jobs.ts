/** The jobs that let merchants take over what arrived on shared accounts: payments, and money in suspense. */
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { isDatabaseUnavailable } from '../postgres/failure.js';
import { inTurns } from '../worker/in-turns.js';
import { type Done, doTogether } from '../worker/together.js';
import type { Job } from '../worker/worker.js';
import type { PaymentId } from './payment.js';
import { type PaymentService, takeOverJob } from './service.js';
import { type HandedOver, listPaymentsHandedOver, oldestHandedOverSeconds } from './store.js';
import { type HandOverService, handOverJob } from './suspense/hand-over-service.js';
import {
  type HandedOverRecord,
  listHandedOver,
  oldestHandedOverRecordSeconds,
} from './suspense/hand-over-store.js';
import type { SuspenseId } from './suspense/suspense.js';

const paymentsAtOnce = 200;
/** Few, because nothing stops between them. */
const recordsAtOnce = 20;
/** Those of different orders do not wait for one another. */
const doneAtOnce = 4;
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
        takeOver: (due) => takeOverPayments(database, payments, due),
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
        takeOver: (due) =>
          inTurns(due, doneAtOnce, (handed) => takeOverSuspense(database, handOvers, handed)),
      }),
  };
}

interface TakeOver<Item, Id> {
  list(failed: readonly Id[]): Promise<readonly Item[]>;
  idOf(item: Item): Id;
  takeOver(due: readonly Item[]): Promise<readonly Done<Item, unknown>[]>;
}

/** What fails stays due, and does not stop the others. Throws when the database cannot be reached. */
async function takeOverAll<Item, Id extends string>(
  log: Log,
  signal: AbortSignal,
  { list, idOf, takeOver }: TakeOver<Item, Id>,
): Promise<number> {
  const failed: Id[] = [];
  let taken = 0;
  while (!signal.aborted) {
    const due = await list(failed);
    if (due.length === 0) break;
    for (const done of await takeOver(due)) {
      if ('error' in done) {
        failed.push(idOf(done.item));
        log.error({ id: idOf(done.item), err: done.error }, 'money cannot be taken over');
      } else taken += 1;
    }
  }
  return taken;
}

/**
 * First under the merchants of the orders, then under the owner of the account. If the process ends between the two, a
 * payment stays due, and the first is done already.
 */
export async function takeOverPayments(
  database: Database,
  payments: PaymentService,
  due: readonly HandedOver[],
): Promise<Done<HandedOver, void>[]> {
  const done: Done<HandedOver, void>[] = [];
  const merchants = new Set(due.map(({ order }) => order.merchantId));
  for (const merchantId of merchants) {
    const ofMerchant = due.filter(({ order }) => order.merchantId === merchantId);
    const taken = await doTogether(database, ofMerchant, {
      work: (tx, payment) => payments.takeOver(tx, byTakeOver, payment),
      subjects: ({ order }) => [order.orderId],
    });
    const failed = taken.filter((payment) => 'error' in payment);
    const ended = await doTogether(
      database,
      taken.flatMap((payment) => ('error' in payment ? [] : [payment.item])),
      {
        work: (tx, payment) => payments.endHandOver(tx, payment),
        subjects: ({ paymentId }) => [paymentId],
      },
    );
    done.push(...failed, ...ended);
  }
  return done;
}

/** As for payments. An order that does not take the money any more leaves it in suspense, under its merchant. */
async function takeOverSuspense(
  database: Database,
  handOvers: HandOverService,
  item: HandedOverRecord,
): Promise<Done<HandedOverRecord, void>> {
  try {
    return { item, result: await receiveSuspense(database, handOvers, item) };
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return { item, error };
  }
}

async function receiveSuspense(
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
