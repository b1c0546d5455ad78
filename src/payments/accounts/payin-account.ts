/** A pay-in account: what senders are told of a bank account that they pay to. Types and pure rules. */

import { isQRIBAN, isValidIBAN, validateBIC } from 'ibantools';
import { simulatedAccountId } from '../../bank/accounts/bank-account.js';
import { defaultTimeZone, isTimeZone } from '../../bank/accounts/time-zones.js';
import { type Field, missing, readField } from '../../beneficiaries/fields/field.js';
import { fieldsFor, findDestination } from '../../beneficiaries/requirements.js';
import { canonicalJson, type DigestedRow } from '../../changes/row.js';
import type { FieldFault } from '../../errors.js';
import type { TenantId } from '../../ids.js';
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import type { PayinAccount } from '../../orders/order/order.js';
import { hasInvisible } from '../../visible-text.js';

/** What an operator decides about an account, and may change. */
export interface AccountTerms {
  readonly holder: string;
  readonly bankName: string;
  readonly country: string;
  /** IANA name. The day of the bank ends there. */
  readonly timeZone: string;
  readonly details: Readonly<Record<string, string>>;
  readonly isEnabled: boolean;
}

/** As an operator sends them: without a time zone they have that of the country, or the one of before. */
export type SentTerms = Omit<AccountTerms, 'timeZone'> & { readonly timeZone?: string | undefined };

/** Undefined when no time zone was sent and the country has no default. */
export function completeTerms(sent: SentTerms, before: AccountTerms | undefined): AccountTerms | undefined {
  const kept = before?.country === sent.country ? before.timeZone : undefined;
  const timeZone = sent.timeZone ?? kept ?? defaultTimeZone(sent.country);
  return timeZone === undefined ? undefined : { ...sent, timeZone };
}

export interface StoredAccount extends AccountTerms {
  /** That of the bank account. */
  readonly accountId: string;
  /** The merchant whose orders are paid there, or the instance when all merchants share it. */
  readonly ownerId: TenantId;
  readonly currency: CurrencyCode;
  readonly version: number;
}

export function simulatedAccount(currency: CurrencyCode): PayinAccount {
  return {
    accountId: simulatedAccountId,
    holder: 'Simulated account, do not pay',
    bankName: 'Simulated bank',
    country: 'XX',
    details: { accountNumber: `SIMULATED-${currency}` },
    isSimulated: true,
  };
}

/** The account as orders copy it. */
export function copyOf({ accountId, holder, bankName, country, timeZone, details }: StoredAccount): PayinAccount {
  return { accountId, holder, bankName, country, timeZone, details: { ...details }, isSimulated: false };
}

/**
 * Whether senders could be told to pay somewhere else, or payments be judged by other days. A disabled account is told
 * to nobody.
 */
export function isRedirecting(before: AccountTerms | undefined, after: AccountTerms): boolean {
  return after.isEnabled && !(before?.isEnabled && isSame(before, after));
}

function isSame(left: AccountTerms, right: AccountTerms): boolean {
  return textOf(left) === textOf(right);
}

function textOf({ holder, bankName, country, timeZone, details }: AccountTerms): string {
  return JSON.stringify([holder, bankName, country, timeZone, Object.entries(details).sort()]);
}

type Details = Readonly<Record<string, string>>;

/** The numbers of an account as they are stored, or everything that is wrong with them. */
export function readDetails(
  country: string,
  currency: string,
  details: Details,
): { readonly details: Details; readonly faults: readonly FieldFault[] } {
  if (isQRIBAN((details.iban ?? '').replaceAll(/\s/g, '').toUpperCase())) return { details: {}, faults: [isQrIban] };
  const destination = findDestination({ country, currency, method: 'bank_account' });
  const fields = destination && fieldsFor(destination, 'company').filter(isOfAccount);
  return fields ? readKnown(fields, currency, details) : readFree(details);
}

/** Banks refuse our references, of ISO 11649, with a QR-IBAN. */
const isQrIban = fault(
  'details.iban',
  'not_allowed',
  'must be the ordinary IBAN of the account: a QR-IBAN takes QR references only',
);

/** Returns the faults of an account that a schema cannot see. */
export function accountFaults(body: unknown): FieldFault[] {
  const { country, currency, details, holder, bankName, accountId, timeZone } = (body ?? {}) as Record<string, unknown>;
  const faults = Object.entries({ holder, bankName })
    .filter(([, text]) => typeof text === 'string' && (hasInvisible(text) || text.trim() === ''))
    .map(([field]) => fault(field, 'wrong_format', 'must be a visible text without control characters'));
  if (accountId === simulatedAccountId)
    faults.push(fault('accountId', 'not_allowed', `must not be ${simulatedAccountId}, which is reserved`));
  if (typeof timeZone === 'string' && !isTimeZone(timeZone))
    faults.push(fault('timeZone', 'not_allowed', 'must be the name of a time zone, such as Europe/Madrid'));
  if (typeof country !== 'string' || currencyCode(currency) === undefined || !isTexts(details)) return faults;
  return [...faults, ...readDetails(country, String(currency), details).faults];
}

const prefix = 'account.';

function isOfAccount({ name }: Field): boolean {
  return name.startsWith(prefix);
}

/** What only the codes need that senders pay with: the address of the holder, and the name of the account in an app. */
const ofCodes: Readonly<Record<string, readonly string[]>> = {
  CHF: ['holderStreet', 'holderPostalCode', 'holderTown'],
  BRL: ['holderTown'],
  INR: ['upiId'],
};
const formOfCodes: Readonly<Record<string, RegExp>> = {
  holderStreet: /^.{1,70}$/u,
  holderPostalCode: /^[0-9A-Za-z -]{1,16}$/,
  holderTown: /^.{1,35}$/u,
  upiId: /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{2,63}$/,
};

/** A country and currency that we also pay out to: the same fields, with their check digits. */
function readKnown(fields: readonly Field[], currency: string, details: Details) {
  const values: Record<string, string> = {};
  const faults: FieldFault[] = [];
  for (const field of fields) {
    const name = field.name.slice(prefix.length);
    const read = readIfSent(field, details[name], values);
    if (read && 'fault' in read) faults.push(renamed(read.fault));
    else if (read) values[name] = read.value;
  }
  const further = ofCodes[currency] ?? [];
  for (const name of further.filter((offered) => details[offered] !== undefined)) {
    const value = (details[name] ?? '').trim();
    if (isOfCodes(name, value)) values[name] = value;
    else faults.push(fault(`details.${name}`, 'wrong_format', 'must be a visible text of the usual form'));
  }
  const known = [...fields.map(({ name }) => name.slice(prefix.length)), ...further];
  for (const name of Object.keys(details).filter((sent) => !known.includes(sent)))
    faults.push(fault(`details.${name}`, 'unknown_field', `must be one of ${known.join(', ')}`));
  return { details: values, faults };
}

/** Undefined for a field that may be left out. */
function readIfSent(field: Field, text: string | undefined, others: Details) {
  if (text !== undefined) return readField(field, text, others);
  return field.isRequired ? { fault: missing(field) } : undefined;
}

function isOfCodes(name: string, value: string): boolean {
  return formOfCodes[name]?.test(value) === true && !hasInvisible(value);
}

/** Elsewhere we know no fields. An IBAN and a BIC are checked everywhere. */
function readFree(details: Details) {
  const values: Record<string, string> = {};
  const faults: FieldFault[] = [];
  for (const [name, text] of Object.entries(details)) {
    const value = ['iban', 'bic'].includes(name) ? text.replaceAll(/\s/g, '').toUpperCase() : text.trim();
    if (value === '' || hasInvisible(value))
      faults.push(fault(`details.${name}`, 'wrong_format', 'must be a visible text'));
    else if (name === 'iban' && !isValidIBAN(value))
      faults.push(fault('details.iban', 'wrong_check_digits', 'must be a valid IBAN'));
    else if (name === 'bic' && !validateBIC(value).valid)
      faults.push(fault('details.bic', 'wrong_format', 'must be a valid BIC'));
    else values[name] = value;
  }
  if (Object.keys(details).length === 0)
    faults.push(fault('details', 'required', 'needs at least one number of the account'));
  return { details: values, faults };
}

function renamed(found: FieldFault): FieldFault {
  return { ...found, field: `details.${found.field.slice(prefix.length)}` };
}

function fault(field: string, code: string, message: string): FieldFault {
  return { field, code, message };
}

function isTexts(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');
}

/** Begins the subjects of accounts. */
export const accountPrefix = 'payin_account:';

/** What the log remembers of its row. */
export function digestedAccount(account: StoredAccount): DigestedRow {
  const { ownerId, currency, holder, bankName, country, timeZone, details, isEnabled, version } = account;
  return {
    subject: `${accountPrefix}${account.accountId}`,
    row: [ownerId, currency, holder, bankName, country, timeZone, canonicalJson(details), isEnabled, version],
  };
}
