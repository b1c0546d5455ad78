/**
 * From an event of an order or of a movement to its journal. Pure, and the only place that knows which accounts an
 * event touches. docs/postings.md shows each event with an example; it is generated from these functions.
 */
import { type Amount, add, amount, subtract } from '../money/amount.js';
import { divideCeil } from '../money/division.js';
import { convertBackCeil, convertFloor, type Rate, shareOfRate } from '../money/rate.js';
import { credit, creditPlace, debit, debitPlace, journal } from './entries.js';
import type { JournalContent } from './journal.js';

/** What an order was agreed at. It never changes; a requote makes new terms. */
export interface OrderTerms {
  /** A, what the customer pays. */
  readonly amountIn: Amount;
  /** F, included in A. */
  readonly fee: Amount;
  /** M, without margin and fee. */
  readonly midRate: Rate;
  readonly marginBasisPoints: number;
  /** O, what the beneficiary receives. */
  readonly amountOut: Amount;
}

/** How the converted money of an order splits. */
export interface Conversion {
  /** N = A − F. */
  readonly converted: Amount;
  /** G = ⌊N × M⌋. */
  readonly gross: Amount;
  /** P = ⌊N × M × margin⌋. */
  readonly margin: Amount;
  /** R = G − P − O, of either sign. */
  readonly rounding: Amount;
}

export function conversionOf({ amountIn, fee, midRate, marginBasisPoints, amountOut }: OrderTerms): Conversion {
  const converted = subtract(amountIn, fee);
  const { currency } = amountOut;
  const gross = convertFloor(converted, midRate, currency);
  const margin = convertFloor(converted, shareOfRate(midRate, marginBasisPoints), currency);
  return { converted, gross, margin, rounding: subtract(subtract(gross, margin), amountOut) };
}

/** A rate has ten significant digits. */
const unitsForEachRounded = 1_000_000_000n;

/**
 * Whether the rounding of the terms can be that of a quote: the two floors of G and P, the floor of O, and what the
 * last digit of the rate is worth. Anything more was changed afterwards.
 */
export function hasQuotedRounding(terms: OrderTerms): boolean {
  const { minor } = conversionOf(terms).rounding;
  const most = 2n + divideCeil(terms.amountOut.minor, unitsForEachRounded);
  return minor <= most && minor >= -most;
}

/** k: what a charge in the payout currency is in the pay-in currency, rounded up. */
export function chargeInPayinCurrency(charge: Amount, { midRate, amountIn }: OrderTerms): Amount {
  return convertBackCeil(charge, midRate, amountIn.currency);
}

/** Money arrived on a bank account. */
export function movementIn(movement: string, bank: string, received: Amount): JournalContent {
  return journal('movement_in', debitPlace('bank', bank, received, movement), credit('payin', received, movement));
}

/** The whole amount of an order, or a part of it, was paid. */
export function paymentReceived(movement: string, order: string, received: Amount): JournalContent {
  return journal('payment_received', debit('payin', received, movement), credit('liability', received, order));
}

/** More was paid than the order needs. The excess goes to suspense. */
export function paymentOver(
  movement: string,
  order: { readonly reference: string; readonly due: Amount },
  suspense: { readonly reference: string; readonly excess: Amount },
): JournalContent {
  return journal(
    'payment_over',
    debit('payin', add(order.due, suspense.excess), movement),
    credit('liability', order.due, order.reference),
    credit('suspense', suspense.excess, suspense.reference),
  );
}

/** No order takes the movement: unmatched, in another currency, or for an order that was cancelled or has expired. */
export function paymentUnassigned(movement: string, suspense: string, received: Amount): JournalContent {
  return journal('payment_unassigned', debit('payin', received, movement), credit('suspense', received, suspense));
}

export function suspenseMatched(suspense: string, order: string, matched: Amount): JournalContent {
  return journal('suspense_matched', debit('suspense', matched, suspense), credit('liability', matched, order));
}

/**
 * Income is recognised here. A refund or a freeze after this reverses the journal first. Throws when the rounding
 * cannot be that of a quote.
 */
export function converted(order: string, terms: OrderTerms): JournalContent {
  if (!hasQuotedRounding(terms)) throw new Error('the terms of an order cannot be those of a quote');
  const { amountIn, fee, amountOut } = terms;
  const { converted: net, gross, margin, rounding } = conversionOf(terms);
  return journal(
    'converted',
    debit('liability', amountIn, order),
    credit('fee', fee, order),
    credit('fx', net, order),
    debit('fx', gross, order),
    credit('payout', amountOut, order),
    credit('margin', margin, order),
    credit('rounding', rounding, order),
  );
}

export function payoutSubmitted(order: string, rail: string, amountOut: Amount): JournalContent {
  const postings = [debit('payout', amountOut, order), creditPlace('settlement', rail, amountOut, order)];
  return journal('payout_submitted', ...postings);
}

/** A payout was stopped before anybody was instructed to make it. */
export function payoutWithdrawn(order: string, rail: string, amountOut: Amount): JournalContent {
  const postings = [debitPlace('settlement', rail, amountOut, order), credit('payout', amountOut, order)];
  return journal('payout_withdrawn', ...postings);
}

/** The bank statement shows the debit of a payout, with the bank's charge. */
export function payoutDebited(
  order: string,
  places: { readonly rail: string; readonly bank: string },
  amountOut: Amount,
  charge: Amount,
): JournalContent {
  return journal(
    'payout_debited',
    debitPlace('settlement', places.rail, amountOut, order),
    debit('charges', charge, order),
    creditPlace('bank', places.bank, add(amountOut, charge), order),
  );
}

/** The rail rejected a payout that was submitted. */
export function payoutFailed(order: string, rail: string, amountOut: Amount): JournalContent {
  return journal('payout_failed', debitPlace('settlement', rail, amountOut, order), credit('payout', amountOut, order));
}

/** A charge on a payout whose debit is not booked: the beneficiary never had it, or only the rail knows the debit. */
export function payoutCharged(
  order: string,
  from: { readonly bank: string } | { readonly rail: string },
  charge: Amount,
): JournalContent {
  const [kind, place] = 'bank' in from ? (['bank', from.bank] as const) : (['settlement', from.rail] as const);
  return journal('payout_charged', debit('charges', charge, order), creditPlace(kind, place, charge, order));
}

/** The money came back as a movement, or the rail has it again. */
export function payoutReturned(
  order: string,
  from: { readonly movement: string } | { readonly rail: string },
  amountOut: Amount,
  charge: Amount,
): JournalContent {
  const returned = subtract(amountOut, charge);
  const source =
    'movement' in from ? debit('payin', returned, from.movement) : debitPlace('settlement', from.rail, returned, order);
  return journal('payout_returned', source, debit('charges', charge, order), credit('payout', amountOut, order));
}

/** An order will be paid back. `kept` stays with us: k for charges of banks, or a fee. */
export function refundDue(
  order: string,
  amountIn: Amount,
  kept: { readonly amount: Amount; readonly as: 'charges' | 'fee' } = {
    amount: amount(amountIn.currency, 0n),
    as: 'charges',
  },
): JournalContent {
  return journal(
    'refund_due',
    debit('liability', amountIn, order),
    credit('refund', subtract(amountIn, kept.amount), order),
    credit(kept.as, kept.amount, order),
  );
}

/** A payment was clawed back when its money was paid out already, and now the money of the payout is here again. */
export function lossRecovered(order: string, recovered: Amount): JournalContent {
  return journal('loss_recovered', debit('liability', recovered, order), credit('writeoff', recovered, order));
}

/** An excess, or money that no order takes, will be paid back. */
export function suspenseRefundDue(suspense: string, due: Amount): JournalContent {
  return journal('suspense_refund_due', debit('suspense', due, suspense), credit('refund', due, suspense));
}

/** A refund of money in suspense was stopped before anybody was instructed to pay it. */
export function suspenseRefundWithdrawn(suspense: string, due: Amount): JournalContent {
  return journal('suspense_refund_withdrawn', debit('refund', due, suspense), credit('suspense', due, suspense));
}

/** Frozen money is in suspense again, and somebody decides about it anew. */
export function suspenseReleased(suspense: string, held: Amount): JournalContent {
  return journal('suspense_released', debit('frozen', held, suspense), credit('suspense', held, suspense));
}

/** `reference` is the order or the suspense record whose refund was paid. */
export function refunded(reference: string, bank: string, paid: Amount): JournalContent {
  return journal('refunded', debit('refund', paid, reference), creditPlace('bank', bank, paid, reference));
}

/**
 * A refund that was debited came back. `movementIn` is booked for the movement. `recovered`: that part belongs to
 * nobody, because the payment was clawed back meanwhile.
 */
export function refundReturned(
  movement: string,
  reference: string,
  returned: Amount,
  recovered: Amount = amount(returned.currency, 0n),
): JournalContent {
  return journal(
    'refund_returned',
    debit('payin', returned, movement),
    credit('refund', subtract(returned, recovered), reference),
    credit('writeoff', recovered, reference),
  );
}

/** Money in suspense becomes ours, or (`missing`) we add what is missing there. */
export function writtenOff(suspense: string, off: Amount, direction: 'unclaimed' | 'missing'): JournalContent {
  return direction === 'unclaimed'
    ? journal('written_off', debit('suspense', off, suspense), credit('writeoff', off, suspense))
    : journal('written_off', debit('writeoff', off, suspense), credit('suspense', off, suspense));
}

/** `reference` is the order or the suspense record. The release of an order reverses this journal. */
export function frozen(reference: string, from: 'liability' | 'refund' | 'suspense', held: Amount): JournalContent {
  return journal('frozen', debit(from, held, reference), credit('frozen', held, reference));
}

/**
 * The bank took a payment back. `from` is where its money is now; `writeoff` once it was paid out. `lost` is the part
 * of it that is not there any more, such as charges that were kept.
 */
export function clawback(
  movement: string,
  reference: string,
  from: 'liability' | 'refund' | 'frozen' | 'suspense' | 'writeoff',
  back: { readonly taken: Amount; readonly bank: string; readonly lost?: Amount },
): JournalContent {
  const { taken, bank, lost = amount(taken.currency, 0n) } = back;
  return journal(
    'clawback',
    debit(from, subtract(taken, lost), reference),
    debit('writeoff', lost, reference),
    credit('payin', taken, movement),
    debit('payin', taken, movement),
    creditPlace('bank', bank, taken, movement),
  );
}

/** A payment never arrived like this. `movementVoided` is booked too, or `handedOver` on a shared account. */
export function paymentVoided(
  movement: string,
  reference: string,
  from: 'liability' | 'suspense',
  voided: Amount,
): JournalContent {
  return journal('payment_voided', debit(from, voided, reference), credit('payin', voided, movement));
}

/** The movement was not on the bank account. */
export function movementVoided(movement: string, bank: string, voided: Amount): JournalContent {
  return journal('movement_voided', debit('payin', voided, movement), creditPlace('bank', bank, voided, movement));
}

/** A beneficiary was paid twice by mistake. */
export function paidTwice(order: string, rail: string, amountOut: Amount): JournalContent {
  return journal('paid_twice', debit('writeoff', amountOut, order), creditPlace('settlement', rail, amountOut, order));
}

/** More was paid back than is owed: the loss is ours. `reference` is the order or the suspense record. */
export function refundOverpaid(reference: string, bank: string, lost: Amount): JournalContent {
  return journal('refund_overpaid', debit('writeoff', lost, reference), creditPlace('bank', bank, lost, reference));
}

/** The owner of a shared bank account gives the movement to an order of another merchant, or gets it back voided. */
export function handedOver(movement: string, received: Amount): JournalContent {
  return journal('handed_over', debit('payin', received, movement), credit('intermerchant', received, movement));
}

/** Under the owner of a shared bank account: money in suspense turned out to be for an order of another merchant. */
export function suspenseHandedOver(suspense: string, movement: string, moved: Amount): JournalContent {
  return journal('suspense_handed_over', debit('suspense', moved, suspense), credit('intermerchant', moved, movement));
}

/** The other side of `handedOver`. */
export function takenOver(movement: string, received: Amount): JournalContent {
  return journal('taken_over', debit('intermerchant', received, movement), credit('payin', received, movement));
}
