/**
 * What a line is that is no payment of anybody: interest, a half of a transfer between two accounts of ours, or what
 * people said. A payer chooses a name and a text, so neither shows anything; only the code of the bank and the IBAN on
 * the other side count. Pure.
 */

import { type JournalContent, negated } from '../../ledger/journal.js';
import { bankFee, funding, interest, ownTransfer } from '../../ledger/operator/treasury-postings.js';
import { type BankAccount, compactNumber, isIban } from '../accounts/bank-account.js';
import { kindOfCode } from '../matching/codes.js';
import type { ReportedMovement } from '../matching/taker.js';

export interface TreasuryEntry {
  readonly content: JournalContent;
  /** The other account of a transfer between two of ours. */
  readonly other: string | undefined;
}

/** Undefined for what is a payment; the reason for what a person must look at. */
export function entryOf(
  movement: ReportedMovement,
  accounts: readonly BankAccount[],
): TreasuryEntry | { readonly reason: string } | undefined {
  const { account, amount, sign, saidToBe, code, isReturn } = movement;
  const { accountId: bank } = account;
  const direction = sign === 'credit' ? 'in' : 'out';
  const booked = (content: JournalContent) => ({ content, other: undefined });
  if (saidToBe === 'funding') return booked(funding(bank, amount, direction));
  if (saidToBe === 'bank_fee') return booked(feeOf(bankFee(bank, amount), direction));
  if (saidToBe === 'interest') return booked(interest(bank, amount, direction));
  if (saidToBe === 'payment' || isReturn) return undefined;
  const others = accountsOnOtherSide(movement, accounts);
  if (others.length > 0) {
    const other = others.find((each) => isPairOf(each, movement));
    return other
      ? { content: ownTransfer(bank, amount, direction), other: other.accountId }
      : { reason: 'own_transfer' };
  }
  return kindOfCode(code, account.profile) === 'interest' ? booked(interest(bank, amount, direction)) : undefined;
}

/** What a bank gives back of a fee is booked the other way round. */
function feeOf(content: JournalContent, direction: 'in' | 'out'): JournalContent {
  return direction === 'out' ? content : { ...content, postings: negated(content.postings) };
}

function accountsOnOtherSide(
  { counterpartyAccount }: ReportedMovement,
  accounts: readonly BankAccount[],
): BankAccount[] {
  if (counterpartyAccount === undefined) return [];
  const number = compactNumber(counterpartyAccount);
  return isIban(number) ? accounts.filter((account) => account.number === number) : [];
}

/** Another account, with money of the same owner, in the same currency. */
function isPairOf(other: BankAccount, { account, amount }: ReportedMovement): boolean {
  const isOther = other.accountId !== account.accountId;
  return isOther && other.ownerId === account.ownerId && other.currency === amount.currency;
}
