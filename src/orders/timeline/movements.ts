/**
 * What moved with a change of an order, for the books of merchants: payments, fees, payouts and refunds. Pure. It takes
 * the public timeline, so that it tells no more than that does.
 */
import { type AccountKind, currencyOf, kindOf } from '../../ledger/account.js';
import type { JournalContent } from '../../ledger/journal.js';
import type { Amount } from '../../money/amount.js';
import type { EntryWithJournals } from './timeline.js';

/** Positive: a payment came in, a payout or a refund left, a fee was earned. Negative: it was undone. */
export const movementKinds = ['payment', 'fee', 'payout', 'refund'] as const;
export type MovementKind = (typeof movementKinds)[number];

export interface OrderMovement {
  readonly at: Date;
  readonly kind: MovementKind;
  /** Of the journal. */
  readonly event: string;
  readonly amount: Amount;
}

interface Measure {
  readonly kind: MovementKind;
  readonly account: AccountKind;
  /** Whether a debit of the account counts as positive. */
  readonly isDebit: boolean;
}

const payment: Measure = { kind: 'payment', account: 'liability', isDebit: false };
const payout: Measure = { kind: 'payout', account: 'payout', isDebit: true };
const refund: Measure = { kind: 'refund', account: 'refund', isDebit: true };
const fee: Measure = { kind: 'fee', account: 'fee', isDebit: false };

/** Which account of a journal says how much moved. Other journals only move money inside the books. */
const measures: Readonly<Record<string, Measure>> = {
  payment_received: payment,
  payment_over: payment,
  suspense_matched: payment,
  payment_voided: payment,
  clawback: { kind: 'payment', account: 'bank', isDebit: true },
  converted: fee,
  conversion_reversed: fee,
  refund_due: fee,
  payout_submitted: payout,
  payout_withdrawn: payout,
  payout_failed: payout,
  payout_returned: payout,
  refunded: refund,
  refund_returned: refund,
};

export function movementsOf(
  entries: readonly EntryWithJournals[],
  period: { readonly from: Date; readonly to: Date },
): OrderMovement[] {
  return entries
    .filter(({ occurredAt }) => occurredAt >= period.from && occurredAt < period.to)
    .flatMap(({ occurredAt, journals }) =>
      journals.flatMap((journal) => {
        const moved = movementOf(journal);
        return moved ? [{ at: occurredAt, event: journal.event, ...moved }] : [];
      }),
    );
}

/** Undefined when nothing moved that a merchant counts. */
function movementOf({ event, postings }: JournalContent): Pick<OrderMovement, 'kind' | 'amount'> | undefined {
  const measure = measures[event];
  const measured = postings.filter(({ account }) => kindOf(account) === measure?.account);
  const [first] = measured;
  if (!measure || !first) return undefined;
  const debit = measured.reduce((sum, { minor }) => sum + minor, 0n);
  const minor = measure.isDebit ? debit : -debit;
  return minor === 0n ? undefined : { kind: measure.kind, amount: { currency: currencyOf(first.account), minor } };
}
