/**
 * The bank is the book of what banks say about our accounts. This file has the account: types and pure rules. Its id
 * is also its place in the ledger, `bank:EUR:main-eur`.
 */
import { isValidIBAN, validateBIC } from 'ibantools';
import type { FieldFault } from '../../errors.js';
import { instanceTenant, type TenantId } from '../../ids.js';
import type { BankProfileName } from '../../iso20022/profiles.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { hasInvisible } from '../../visible-text.js';
import { type CsvFormat, csvFormatFaults } from './csv-format.js';
import { isTimeZone } from './time-zones.js';

/**
 * `payin`: senders pay to it. `payout`: payouts and refunds leave from it. `safeguarding`: it holds money of customers,
 * apart from the operator's own.
 */
export const accountUses = ['payin', 'payout', 'safeguarding'] as const;
export type AccountUse = (typeof accountUses)[number];

/** What is agreed with a bank about its files. */
export type BankProfile = BankProfileName;

export interface AccountAddress {
  readonly street?: string;
  readonly postalCode?: string;
  readonly city: string;
}

/** What an operator decides about an account, and may change. */
export interface BankAccountTerms {
  readonly holder: string;
  readonly address: AccountAddress | undefined;
  readonly bankName: string;
  /** Of the bank. */
  readonly country: string;
  /** An IBAN without blanks, or what the country has instead. */
  readonly number: string;
  readonly bic: string | undefined;
  /** Empty for an account that is not used any more. */
  readonly uses: readonly AccountUse[];
  readonly profile: BankProfile;
  /** IANA name. The day of the bank ends there. */
  readonly timeZone: string;
  /** How its bank writes CSV; undefined for an account whose bank writes camt only. */
  readonly csv: CsvFormat | undefined;
  /** Payments up to this sum leave without a second person. Undefined: none does. */
  readonly releaseUpTo: Amount | undefined;
}

export interface BankAccount extends BankAccountTerms {
  readonly accountId: string;
  /** The merchant whose money it holds, or the instance when all merchants share it. */
  readonly ownerId: TenantId;
  readonly currency: CurrencyCode;
  readonly version: number;
}

/** Reserved for the account that the sandbox has in every currency. Its bank is simulated. */
export const simulatedAccountId = 'simulated';

/** Whether money of the merchant may move on the account. */
export function isUsableBy({ ownerId }: Pick<BankAccount, 'ownerId'>, merchantId: TenantId): boolean {
  return ownerId === instanceTenant || ownerId === merchantId;
}

/** Whether the change only takes uses away, or lowers the sum that leaves without a second person. */
export function isOnlyTighter(before: BankAccountTerms | undefined, after: BankAccountTerms): boolean {
  if (!before || textOf(before) !== textOf(after)) return false;
  const mostBefore = before.releaseUpTo?.minor ?? 0n;
  return after.uses.every((use) => before.uses.includes(use)) && (after.releaseUpTo?.minor ?? 0n) <= mostBefore;
}

function textOf({ holder, address, bankName, country, number, bic, profile, timeZone, csv }: BankAccountTerms): string {
  const { street, postalCode, city } = address ?? {};
  const ofCsv = Object.entries(csv ?? {}).sort();
  return JSON.stringify([holder, street, postalCode, city, bankName, country, number, bic, profile, timeZone, ofCsv]);
}

const likeIban = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/;

/** The number as it is stored and compared. */
export function compactNumber(number: string): string {
  return number.replaceAll(/\s/g, '').toUpperCase();
}

/** Whether the number alone names one account of the world: others are given out by each bank. */
export function isIban(number: string): boolean {
  return likeIban.test(number) && isValidIBAN(number);
}

/** Returns the faults of an account that a schema cannot see. */
export function accountFaults(body: unknown): FieldFault[] {
  const { number, bic, accountId, timeZone, holder, bankName, address, csv } = (body ?? {}) as Record<string, unknown>;
  const faults = Object.entries({ holder, bankName, ...(address as object | undefined) })
    .filter(([, text]) => typeof text === 'string' && (hasInvisible(text) || text.trim() === ''))
    .map(([field]) => fault(field, 'wrong_format', 'must be a visible text without control characters'));
  if (accountId === simulatedAccountId)
    faults.push(fault('accountId', 'not_allowed', `must not be ${simulatedAccountId}, which is reserved`));
  if (typeof timeZone === 'string' && !isTimeZone(timeZone))
    faults.push(fault('timeZone', 'not_allowed', 'must be the name of a time zone, such as Europe/Madrid'));
  if (typeof number === 'string' && likeIban.test(compactNumber(number)) && !isValidIBAN(compactNumber(number)))
    faults.push(fault('number', 'wrong_check_digits', 'must be a valid IBAN'));
  if (typeof bic === 'string' && !validateBIC(bic).valid)
    faults.push(fault('bic', 'wrong_format', 'must be a valid BIC'));
  if (csv !== undefined) faults.push(...csvFormatFaults(csv));
  return faults;
}

function fault(field: string, code: string, message: string): FieldFault {
  return { field, code, message };
}
