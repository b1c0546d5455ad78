/** Journals that undo earlier ones of the same order, exactly. */
import { accountOf, kindOf } from '../../ledger/account.js';
import { negated, type StoredJournal } from '../../ledger/journal.js';
import { converted } from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, amount } from '../../money/amount.js';
import type { Queryable } from '../../postgres/statement.js';
import { listTimelineOf } from './history.js';
import type { Order } from './order.js';
import type { OrderPostings } from './order-events.js';
import type { OrderJournal } from './transition.js';

/** What gives the money back to `liability`; empty when the order is not converted. The caller has locked the order. */
export async function reverseConversion(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
): Promise<OrderJournal[]> {
  const journals = await journalsOf(ledger, database, order);
  return undoing(newestOf(journals, 'converted'), { converted: 'conversion_reversed' });
}

/** What lets frozen money go; empty when none is frozen. The caller has locked the order. */
export async function reverseFreeze(ledger: LedgerService, database: Queryable, order: Order): Promise<OrderJournal[]> {
  const journals = await journalsOf(ledger, database, order);
  return undoing(newestOf(journals, 'frozen'), { frozen: 'released' });
}

/**
 * What takes back the debit and the charge of a payout, which were booked with these versions of the order; empty when
 * none was.
 */
export async function reverseDebit(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  versions: readonly number[],
): Promise<OrderJournal[]> {
  const journals = await journalsOf(ledger, database, order, versions);
  return undoing(journals, { payout_debited: 'payout_debit_reversed', payout_charged: 'payout_charge_reversed' });
}

/** What undoes that a payout failed or came back. */
export interface Undone {
  readonly journals: readonly OrderJournal[];
  /** What a bank kept of the payout that did not come back after all. */
  readonly charge: Amount;
}

/**
 * What undoes the failure or the return of one payout, which was booked with this version of the order. Undefined: the
 * payout was withdrawn before it was sent. Throws when there is none.
 */
export async function reverseFailure(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  { rail, version }: { readonly rail: string; readonly version: number | undefined },
): Promise<Undone> {
  const journals = await (version === undefined
    ? findWithdrawal(ledger, database, order, rail)
    : journalsOf(ledger, database, order, [version]));
  const undone = undoing(journals, {
    payout_failed: 'payout_failure_reversed',
    payout_withdrawn: 'payout_withdrawal_reversed',
    payout_charged: 'payout_charge_reversed',
    payout_returned: 'payout_return_reversed',
    movement_in: 'movement_reversed',
  });
  if (undone.length === 0) throw new Error(`the order ${order.orderId} has no failed payout on ${rail}`);
  const charges = undone
    .flatMap(({ postings }) => postings)
    .filter(({ account }) => kindOf(account) === 'charges')
    .reduce((sum, { minor }) => sum - minor, 0n);
  return { journals: undone, charge: amount(order.amountOut.currency, charges) };
}

/** What brings the order's money back to where payouts take it from. */
export interface Restored {
  readonly journals: readonly OrderJournal[];
  /** What had been kept of a refund that is not made after all. */
  readonly kept: Amount;
}

/**
 * Undoes a freeze and a refund that is not under way, and converts the money again if that was reversed. The caller has
 * locked the order.
 */
export async function restoreConverted(ledger: LedgerService, database: Queryable, order: Order): Promise<Restored> {
  const journals = await journalsOf(ledger, database, order);
  const refunds = undoing(newestOf(journals, 'refund_due'), { refund_due: 'refund_due_reversed' });
  const kept = refunds
    .flatMap(({ postings }) => postings)
    .filter(({ account }) => kindOf(account) === 'charges')
    .reduce((sum, { minor }) => sum + minor, 0n);
  return {
    journals: [
      ...undoing(newestOf(journals, 'frozen'), { frozen: 'released' }),
      ...refunds,
      ...(newestOf(journals, 'converted').length > 0 ? [] : [converted(order.orderId, order)]),
    ],
    kept: amount(order.amountIn.currency, kept),
  };
}

/** Withdrawn payouts on the same rail are alike. */
async function findWithdrawal(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  rail: string,
): Promise<readonly StoredJournal[]> {
  const settlement = accountOf('settlement', order.amountOut.currency, rail);
  const isOnRail = ({ postings }: StoredJournal) => postings.some(({ account }) => account === settlement);
  const journals = await journalsOf(ledger, database, order);
  return newestOf(journals.filter(isOnRail), 'payout_withdrawn');
}

/** The reversals of those that are in force and have a name here. */
function undoing(
  journals: readonly StoredJournal[],
  names: Readonly<Partial<Record<OrderPostings, OrderPostings>>>,
): OrderJournal[] {
  return journals.flatMap((journal) => {
    const as = names[journal.event as OrderPostings];
    return as && journal.reversedBy === undefined ? [reversalOf(journal, as)] : [];
  });
}

/** The newest journal of this kind that is in force, if there is one. */
function newestOf(journals: readonly StoredJournal[], event: OrderPostings): readonly StoredJournal[] {
  return journals.filter((journal) => journal.event === event && journal.reversedBy === undefined).slice(-1);
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

/** The journals of the order, or of these versions of it, the oldest first. */
async function journalsOf(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  versions?: readonly number[],
): Promise<readonly StoredJournal[]> {
  const history = await listTimelineOf(database, order);
  const entries = versions ? history.filter(({ version }) => versions.includes(version)) : history;
  const ids = entries.flatMap(({ journalIds }) => journalIds);
  return ledger.findAll(database, order.merchantId, ids);
}

function reversalOf({ journalId, postings }: StoredJournal, as: OrderPostings): OrderJournal {
  return { event: as, postings: negated(postings), reverses: journalId };
}
