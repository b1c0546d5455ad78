/** Journals that undo earlier ones of the same order, exactly. */
import { accountOf } from '../../ledger/account.js';
import { negated, type StoredJournal } from '../../ledger/journal.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Order } from '../order.js';
import type { OrderEvent, OrderPostings } from '../order-events.js';
import { listJournalIdsOf, listTimelineOf } from '../timeline/store.js';
import type { OrderJournal } from '../transition.js';

/** What gives the money back to `liability`; empty when the order is not converted. The caller has locked the order. */
export function reverseConversion(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
): Promise<OrderJournal[]> {
  return reverse(ledger, database, order, {
    events: ['convert', 'approve'],
    journal: 'converted',
    as: 'conversion_reversed',
  });
}

/** What lets frozen money go; empty when none is frozen. The caller has locked the order. */
export function reverseFreeze(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
): Promise<OrderJournal[]> {
  return reverse(ledger, database, order, { events: ['freeze'], journal: 'frozen', as: 'released' });
}

/** What takes the debit of a bank account back that was booked with a payout; empty when none was. */
export function reverseDebit(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
): Promise<OrderJournal[]> {
  const events = ['complete', 'prove_payout'] as const;
  return reverse(ledger, database, order, {
    ...{ events, journal: 'payout_debited', as: 'payout_debit_reversed' },
  });
}

/** What undoes the newest failure of a payout on this rail. Throws when there is none. */
export async function reverseFailure(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  rail: string,
): Promise<OrderJournal[]> {
  const settlement = accountOf('settlement', order.amountOut.currency, rail);
  const found = (await journalsOf(ledger, database, order))
    .filter(({ event, reversedBy }) => event === 'payout_failed' && reversedBy === undefined)
    .findLast(({ postings }) => postings.some(({ account }) => account === settlement));
  if (!found) throw new Error(`the order ${order.orderId} has no failed payout on ${rail}`);
  return [reversalOf(found, 'payout_failure_reversed')];
}

/** What takes a payment off the order. Undefined when it did not come as a payment of its own, exactly for this order. */
export async function reversePayment(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  paymentId: string,
): Promise<OrderJournal | undefined> {
  const found = (await journalsOf(ledger, database, order)).find(
    ({ event, reversedBy, postings }) =>
      event === 'payment_received' &&
      reversedBy === undefined &&
      postings.some(({ reference }) => reference === paymentId),
  );
  return found && reversalOf(found, 'payment_taken_off');
}

/** All journals of the order, the oldest first. */
async function journalsOf(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
): Promise<readonly StoredJournal[]> {
  const entries = await listTimelineOf(database, order);
  const ids = entries.flatMap(({ journalIds }) => journalIds);
  return ledger.findAll(database, order.merchantId, ids);
}

function reversalOf({ journalId, postings }: StoredJournal, as: OrderPostings): OrderJournal {
  return { event: as, postings: negated(postings), reverses: journalId };
}

async function reverse(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  undone: {
    readonly events: readonly OrderEvent[];
    readonly journal: OrderPostings;
    readonly as: OrderPostings;
  },
): Promise<OrderJournal[]> {
  const ids = await listJournalIdsOf(database, order, undone.events);
  const journals = await Promise.all(ids.map((id) => ledger.find(database, order.merchantId, id)));
  return journals
    .filter(({ event, reversedBy }) => event === undone.journal && reversedBy === undefined)
    .map((journal) => reversalOf(journal, undone.as));
}
