/** Reads a movement from texts, as an operator or a file has them: all faults at once. Pure. */

import { dayAt } from '../bank/accounts/bank-day.js';
import type { FieldFault } from '../errors.js';
import { isZero } from '../money/amount.js';
import { type CurrencyCode, currencyCode } from '../money/currency.js';
import { amountFromLiteral } from '../money/literal.js';
import { bookingTimeOf, dateOf } from '../times.js';
import { hasControlCharacters } from '../visible-text.js';
import type { Movement } from './payment.js';

/** The columns of an imported file, and the fields of a movement that is recorded by hand. */
export const movementFields = [
  'bankReference',
  'amount',
  'currency',
  'bookedAt',
  'payerName',
  'payerAccount',
  'remittanceText',
] as const;
export type MovementField = (typeof movementFields)[number];

export const longestTexts = {
  bankReference: 140,
  payerName: 140,
  payerAccount: 64,
  remittanceText: 500,
} as const;

export type MovementFault = FieldFault & { readonly field: MovementField };
export type ReadMovement = { readonly movement: Movement } | { readonly faults: readonly MovementFault[] };

/** The account of a movement, as far as its texts depend on it. The simulated account has no place. */
export interface AccountOfMovement {
  readonly currency: CurrencyCode;
  readonly timeZone: string | undefined;
}

/** The currency must be that of the account. */
export function readMovement(
  texts: Readonly<Record<MovementField, string>>,
  { currency: accountCurrency, timeZone }: AccountOfMovement,
): ReadMovement {
  const faults: MovementFault[] = [];
  const refuse = (field: MovementField, code: string, message: string) => {
    faults.push({ field, code, message });
    return undefined;
  };
  const bankReference = readText(texts, 'bankReference', refuse);
  const name = readText(texts, 'payerName', refuse);
  const account = texts.payerAccount.trim() === '' ? undefined : readText(texts, 'payerAccount', refuse);
  const remittanceText = readRemittance(texts, refuse);
  const amount = readAmount(texts, accountCurrency, refuse);
  const booking = readBooking(texts.bookedAt.trim(), timeZone) ?? refuse('bookedAt', 'wrong_format', bookingForm);
  if (faults.length > 0 || !bankReference || !name || !amount || !booking) return { faults };
  return { movement: { bankReference, amount, ...booking, payer: { name, account, remittanceText } } };
}

type Refuse = (field: MovementField, code: string, message: string) => undefined;
type Texts = Readonly<Record<MovementField, string>>;

function readText(texts: Texts, field: keyof typeof longestTexts, refuse: Refuse): string | undefined {
  const text = texts[field].trim();
  if (text === '') return refuse(field, 'required', 'is required');
  if ([...text].length > longestTexts[field])
    return refuse(field, 'too_long', `must have at most ${longestTexts[field]} characters`);
  if (hasControlCharacters(text)) return refuse(field, 'wrong_format', 'must not contain control characters');
  return text;
}

/** May be empty, and may have several lines. */
function readRemittance(texts: Texts, refuse: Refuse): string {
  const text = texts.remittanceText.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if ([...text].length > longestTexts.remittanceText)
    refuse('remittanceText', 'too_long', `must have at most ${longestTexts.remittanceText} characters`);
  return text;
}

function readAmount(texts: Texts, accountCurrency: CurrencyCode, refuse: Refuse) {
  const currency = currencyCode(texts.currency.trim());
  if (currency !== accountCurrency)
    return refuse('currency', 'not_allowed', `must be ${accountCurrency}, the currency of the account`);
  const amount = amountFromLiteral(currency, texts.amount.trim());
  if ('fault' in amount) return refuse('amount', amount.fault, amount.message);
  return isZero(amount) ? refuse('amount', 'not_positive', 'must be more than zero') : amount;
}

const bookingForm = 'must be a date such as 2026-11-15, or a time such as 2026-11-15T09:30:00Z';
/** A date without a time is that day at the place of the account; as a time it is shown as its beginning (UTC). */
function readBooking(text: string, timeZone: string | undefined): Pick<Movement, 'bookedAt' | 'bookedOn'> | undefined {
  const bookedAt = bookingTimeOf(text);
  if (!bookedAt || bookedAt.getUTCFullYear() < 2000) return undefined;
  const bookedOn = timeZone && (dateOf(text) ? text : dayAt(bookedAt, timeZone));
  return { bookedAt, bookedOn };
}
