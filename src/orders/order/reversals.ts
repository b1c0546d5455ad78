/** Journals that undo earlier ones of the same order, exactly. */
import { accountOf, kindOf } from '../../ledger/account.js';
import { negated, type StoredJournal } from '../../ledger/journal.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, amount } from '../../money/amount.js';
import type { Queryable } from '../../postgres/statement.js';
import { listJournalIdsOf, listTimelineOf } from './history.js';
import type { Order } from './order.js';
import type { OrderEvent, OrderPostings } from './order-events.js';
import type { OrderJournal } from './transition.js';

/** What gives the money back to `liability`; empty when the order is not converted. The caller has locked the order. */
export function reverseConversion(ledger: LedgerService, database: Queryable, order: Order): Promise<OrderJournal[]> {
  return reverse(ledger, database, order, {
    events: ['convert', 'approve'],
    journal: 'converted',
    as: 'conversion_reversed',
  });
}

/** What lets frozen money go; empty when none is frozen. The caller has locked the order. */
export function reverseFreeze(ledger: LedgerService, database: Queryable, order: Order): Promise<OrderJournal[]> {
  return reverse(ledger, database, order, {
    events: ['freeze', 'record_clawback'],
    journal: 'frozen',
    as: 'released',
  });
}

const completions: readonly OrderEvent[] = ['complete', 'prove_payout'];

/**
 * What takes the debit of a bank account back that was booked with the payout that is under way or paid; empty when
 * none was. Debits of earlier payouts, which came back, stay.
 */
export async function reverseDebit(ledger: LedgerService, database: Queryable, order: Order): Promise<OrderJournal[]> {
  const entries = await listTimelineOf(database, order);
  const submitted = entries.findLastIndex(({ event }) => event === 'submit_payout');
  const completed = entries.slice(submitted + 1).filter(({ event }) => completions.includes(event));
  const ids = completed.flatMap(({ journalIds }) => journalIds);
  const journals = await ledger.findAll(database, order.merchantId, ids);
  const debit = journals.findLast((journal) => isInForce(journal, 'payout_debited'));
  return debit ? [reversalOf(debit, 'payout_debit_reversed')] : [];
}

/** What undoes that a payout failed or came back. */
export interface Undone {
  readonly journals: readonly OrderJournal[];
  /** What a bank kept of the payout that did not come back after all. */
  readonly charge: Amount;
  /** The bank account was debited when the payout was recorded as paid. */
  readonly isDebited: boolean;
}

/** What undoes the newest failure or return of a payout. Throws when there is none. */
export async function reverseFailure(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  attempt: { readonly rail: string; readonly attemptId: string },
): Promise<Undone> {
  const journals = await journalsOf(ledger, database, order);
  const settlement = accountOf('settlement', order.amountOut.currency, attempt.rail);
  const isOnRail = ({ postings }: StoredJournal) => postings.some(({ account }) => account === settlement);
  const isOfAttempt = ({ postings }: StoredJournal) =>
    postings.some(({ reference }) => reference === attempt.attemptId);
  const failed = journals.findLast((journal) => isInForce(journal, 'payout_failed') && isOnRail(journal));
  const returns = journals.filter((journal) => isInForce(journal, 'payout_returned'));
  const returned = returns.findLast(isOfAttempt) ?? returns.findLast(isOnRail);
  // The order is where its newest payout left it.
  const undone = order.state === 'RETURNED' ? (returned ?? failed) : (failed ?? returned);
  if (!undone) throw new Error(`the order ${order.orderId} has no failed payout on ${attempt.rail}`);
  const none = amount(order.amountOut.currency, 0n);
  if (undone === failed)
    return { journals: [reversalOf(failed, 'payout_failure_reversed')], charge: none, isDebited: false };
  const arrived = journals.filter((journal) => isInForce(journal, 'movement_in') && isOfAttempt(journal));
  const charged = undone.postings.find(({ account }) => kindOf(account) === 'charges');
  return {
    journals: [
      reversalOf(undone, 'payout_return_reversed'),
      ...arrived.map((journal) => reversalOf(journal, 'movement_reversed')),
    ],
    charge: charged ? amount(none.currency, charged.minor) : none,
    isDebited: journals.some((journal) => isInForce(journal, 'payout_debited')),
  };
}

function isInForce({ event, reversedBy }: StoredJournal, wanted: OrderPostings): boolean {
  return event === wanted && reversedBy === undefined;
}

/**
 * What takes a payment off the order. Undefined when it did not come as a payment of its own, exactly for this order.
 */
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
async function journalsOf(ledger: LedgerService, database: Queryable, order: Order): Promise<readonly StoredJournal[]> {
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
