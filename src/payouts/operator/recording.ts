/** What an operator saw at the bank, as the report that is stored, and what it must say. Pure. */
import { invalidField } from '../../errors.js';
import { type Amount, isZero } from '../../money/amount.js';
import { amountFromLiteral } from '../../money/literal.js';
import type { Attempt } from '../attempt.js';
import { isByHand, isFromOurBank, type Rail, type Report } from '../rail.js';
import { notRecordable } from '../refusals.js';
import { debitedBankOf } from '../reports/debits.js';
import type { StoredReport } from '../reports/report-store.js';

export interface Recording {
  readonly kind: Extract<Report['kind'], 'accepted' | 'paid' | 'rejected' | 'returned'>;
  readonly version: number;
  /** Both are absent before the bank was instructed, and where it booked nothing. */
  readonly bankReference: string | undefined;
  readonly bookedAt: Date | undefined;
  /** The place of the bank account in the ledger. */
  readonly bank: string | undefined;
  /** As a decimal, in the currency of the payment. */
  readonly charge: string | undefined;
  readonly reason: string | undefined;
}

interface Recorded {
  readonly rail: Rail | undefined;
  readonly reports: readonly StoredReport[];
}

/**
 * A payment that the worker may send at any moment is not recorded by hand, and each movement names the account that it
 * is booked on. Throws `payout_not_recordable` and `invalid_fields`.
 */
export function requireRecordable(attempt: Attempt, recording: Recording, recorded: Recorded): void {
  const isOnItsWay = attempt.state === 'READY' || attempt.state === 'SENDING';
  if (!isByHand(recorded.rail) && isOnItsWay) throw notRecordable(attempt);
  if (attempt.direction === 'refund') requireRefundBank(recording);
  else requirePayoutBank(attempt, recording, recorded);
}

function requireRefundBank({ kind, bank, charge }: Recording): void {
  if (bank === undefined && (kind === 'paid' || kind === 'returned'))
    throw invalidField('bank', 'required', 'is required for a refund');
  if (charge) throw invalidField('charge', 'not_allowed', 'book the charge on a refund as a bank fee');
}

/** What comes back of a payout is booked where its debit was. A charge is booked in any case. */
function requirePayoutBank({ state }: Attempt, { kind, bank, charge }: Recording, { rail, reports }: Recorded): void {
  const isReturned = kind === 'returned' && state === 'PAID';
  const isDebited = debitedBankOf(reports) !== undefined;
  if (isReturned && bank !== undefined && !isDebited)
    throw invalidField('bank', 'not_allowed', 'no bank account was debited for this payout: the rail has the money');
  const isBooked = isReturned ? isDebited : kind === 'paid' || (kind === 'returned' && charge !== undefined);
  if (isBooked && bank === undefined && isFromOurBank(rail))
    throw invalidField('bank', 'required', 'is required: name the account that the bank booked it on');
}

/**
 * The bank's reference makes the report unique, on each account: the same line of a statement is recorded once. Our own
 * stands for it before.
 */
export function reportOf({ reference, amount, version }: Attempt, recording: Omit<Recording, 'version'>): Report {
  const { kind, bankReference = `${reference}.${version}`, bank, bookedAt, charge: chargeText, reason } = recording;
  const charge = chargeText === undefined ? undefined : readCharge(amount, chargeText);
  return {
    reportId: `${kind}:${bankReference}${bank === undefined ? '' : `@${bank}`}`,
    reference,
    kind,
    ...(bookedAt ? { occurredAt: bookedAt } : {}),
    ...(kind === 'paid' ? { amount } : {}),
    ...(charge && !isZero(charge) ? { charge } : {}),
    ...(reason === undefined ? {} : { reason }),
    raw: bankReference,
  };
}

/** Throws `invalid_fields`. */
function readCharge({ currency, minor }: Amount, text: string): Amount {
  const charge = amountFromLiteral(currency, text);
  if ('fault' in charge) throw invalidField('charge', charge.fault, charge.message);
  if (charge.minor > minor) throw invalidField('charge', 'too_large', 'must not exceed the payment');
  return charge;
}
