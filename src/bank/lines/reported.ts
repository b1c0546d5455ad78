/** An entry of a file as a line, with the payments in it. Pure. */

import { bankProfiles } from '../../iso20022/profiles.js';
import type { ReportedAmount, ReportedDetail, ReportedEntry } from '../../iso20022/statement.js';
import type { CurrencyCode } from '../../money/currency.js';
import { currencyCode } from '../../money/currency.js';
import { amountFromLiteral } from '../../money/literal.js';
import type { BankProfile } from '../accounts/bank-account.js';
import { contentsName } from './identity.js';
import { type LineSign, plainReference } from './line.js';

/** What is known of a payment besides its amount. It is stored sealed. */
export interface DetailContent {
  readonly name: string | undefined;
  readonly account: string | undefined;
  readonly text: string;
  /** Structured references, such as `RF…`. */
  readonly references: readonly string[];
  readonly isReturn: boolean;
  /** Such as `AC01`. */
  readonly returnReason: string | undefined;
  /** Ids of the message or block that the bank carried out, where it does not list the payments of it. */
  readonly messageIds: readonly string[];
  /** How many payments the bank says that these are. */
  readonly count: number | undefined;
  /** What people said that it is, when they split what nothing explained. */
  readonly saidToBe: EntryKind | 'payment' | undefined;
}

/** What is no payment of anybody: it is between the bank, or us, and our account. */
export const entryKinds = ['bank_fee', 'interest', 'funding'] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface ReportedPayment {
  readonly amountMinor: bigint;
  readonly endToEndId: string | undefined;
  readonly content: DetailContent;
}

export interface ReportedLine {
  readonly sign: LineSign;
  readonly amountMinor: bigint;
  readonly bookedOn: string;
  readonly valueOn: string | undefined;
  readonly bankReference: string | undefined;
  /** All references of the line, in one form, and the name of its contents. */
  readonly knownBy: readonly string[];
  /** What makes it one line where the bank gives no reference. */
  readonly contents: string;
  readonly code: string | undefined;
  readonly isReversal: boolean;
  readonly payments: readonly ReportedPayment[];
}

export interface ReportedOn {
  readonly currency: CurrencyCode;
  readonly profile: BankProfile;
}

/** Returns what is wrong as a text. */
export function reportedLineOf(entry: ReportedEntry, account: ReportedOn): ReportedLine | string {
  const amountMinor = minorOf(entry.amount, account.currency);
  if (amountMinor === undefined)
    return `The amount ${entry.amount.amount} ${entry.amount.currency} is not of this account.`;
  if (amountMinor === 0n) return 'The amount is zero.';
  const bookedOn = (entry.bookedOn ?? entry.valueOn)?.slice(0, 10);
  if (bookedOn === undefined) return 'The day of the booking is missing.';
  const payments = paymentsOf(entry, amountMinor, account.currency);
  const [only] = entry.details;
  const detail = entry.details.length === 1 ? only : undefined;
  const { hasEntryReferences } = bankProfiles[account.profile];
  const entryReference = hasEntryReferences ? entry.entryReference : undefined;
  const bankReference = entry.bankReference ?? detail?.references.bankReference ?? entryReference;
  const { endToEndId, transactionId, uetr } = detail?.references ?? {};
  const known = [bankReference, endToEndId, transactionId, uetr].filter((text) => text !== undefined);
  const content = payments.map((payment) =>
    [payment.endToEndId, payment.content.account, payment.content.text].join('|'),
  );
  const contents = contentsName([bookedOn, entry.sign, String(amountMinor), entry.code.iso, ...content]);
  return {
    sign: entry.sign,
    amountMinor,
    bookedOn,
    valueOn: entry.valueOn?.slice(0, 10),
    bankReference,
    knownBy: [...new Set([...known.map(plainReference), contents])],
    contents,
    code: entry.code.iso ?? entry.code.proprietary,
    isReversal: entry.isReversal,
    payments,
  };
}

/** The payments of a batch, if they make its amount; otherwise one payment of the whole amount. */
function paymentsOf(entry: ReportedEntry, amountMinor: bigint, currency: CurrencyCode): ReportedPayment[] {
  const [first, second] = entry.details;
  const isReturn = (detail: ReportedDetail | undefined) =>
    detail?.returned !== undefined || isReturnCode(detail?.code?.iso) || isReturnCode(entry.code.iso);
  if (second !== undefined) {
    const amounts = entry.details.map((detail) => {
      const minor = detail.amount && minorOf(detail.amount, currency);
      return minor !== undefined && (detail.sign ?? entry.sign) !== entry.sign ? -minor : minor;
    });
    const sum = amounts.reduce<bigint>((total, minor) => total + (minor ?? 0n), 0n);
    if (sum === amountMinor && amounts.every((minor) => minor !== undefined && minor !== 0n))
      return entry.details.map((detail, index) => paymentOf(detail, amounts[index] ?? 0n, isReturn(detail)));
    return [inOne(entry, amountMinor, false)];
  }
  if (!first) return [inOne(entry, amountMinor, isReturn(undefined))];
  const payment = paymentOf(first, amountMinor, isReturn(first));
  return [{ ...payment, content: { ...payment.content, ...batchOf(entry) } }];
}

/** An entry without details: one payment, or several that the bank booked together. */
function inOne(entry: ReportedEntry, amountMinor: bigint, isReturn: boolean): ReportedPayment {
  const content = { ...noContent, ...batchOf(entry), text: entry.text ?? '', isReturn };
  return { amountMinor, endToEndId: undefined, content };
}

/** Which message of ours the entry is, as the bank says for all of it. */
function batchOf({ batch, details }: ReportedEntry): Pick<DetailContent, 'messageIds' | 'count'> {
  const ofDetails = details.flatMap(({ references }) => [references.messageId, references.paymentInformationId]);
  const ids = [batch?.messageId, batch?.paymentInformationId, ...ofDetails].filter((id) => id !== undefined);
  return { messageIds: [...new Set(ids)], count: batch?.count };
}

/** Of a payment about which nothing is known. */
export const noContent: DetailContent = {
  name: undefined,
  account: undefined,
  text: '',
  references: [],
  isReturn: false,
  returnReason: undefined,
  messageIds: [],
  count: undefined,
  saidToBe: undefined,
};

function paymentOf(detail: ReportedDetail, amountMinor: bigint, isReturn: boolean): ReportedPayment {
  const { counterparty, remittance, references, returned } = detail;
  return {
    amountMinor,
    endToEndId: references.endToEndId,
    content: {
      ...noContent,
      name: counterparty.name,
      account: counterparty.account,
      text: remittance.text === '' ? (detail.text ?? '') : remittance.text,
      references: remittance.references,
      isReturn,
      returnReason: returned?.code,
    },
  };
}

/** Returned or rejected payments: `PMNT-ICDT-RRTN`, `PMNT-RCDT-RRTN`. */
function isReturnCode(code: string | undefined): boolean {
  return code?.endsWith('-RRTN') ?? false;
}

export function minorOf({ currency, amount }: ReportedAmount, wanted: CurrencyCode): bigint | undefined {
  if (currencyCode(currency) !== wanted) return undefined;
  const read = amountFromLiteral(wanted, plainDecimal(amount));
  return 'fault' in read ? undefined : read.minor;
}

/** Some banks write more zeros than the currency has digits. */
function plainDecimal(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = fraction.replace(/0+$/, '');
  const integer = whole.replace(/^0+(?=\d)/, '');
  return digits === '' ? integer : `${integer}.${digits}`;
}
