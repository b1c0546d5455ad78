/** A statement of a bank as it is stored, and what makes it one statement. Pure. */
import { createHash } from 'node:crypto';
import type { ReportedBalance, ReportedStatement, StatementKind } from '../../iso20022/statement.js';
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import { compactNumber } from '../accounts/bank-account.js';
import { minorOf } from '../lines/reported.js';

export interface NewStatement {
  readonly accountId: string;
  readonly identity: string;
  readonly fileId: string;
  readonly kind: StatementKind;
  readonly bankId: string | undefined;
  readonly sequence: number | undefined;
  readonly openingOn: string | undefined;
  readonly openingMinor: bigint | undefined;
  readonly closingOn: string | undefined;
  readonly closingMinor: bigint | undefined;
}

export interface StatementOf {
  readonly accountId: string;
  readonly number: string;
  readonly currency: CurrencyCode;
}

/** Whether the statement is of this account. Some banks write the account with its currency. */
export function isOfAccount({ account }: ReportedStatement, { number, currency }: StatementOf): boolean {
  const plain = (text: string) => compactNumber(text).replaceAll(/[^A-Z0-9]/g, '');
  const reported = plain(account.number);
  if (account.currency !== undefined && currencyCode(account.currency) !== currency) return false;
  return reported === plain(number) || reported === `${plain(number)}${currency}`;
}

/** Banks use ids again, so the balances and the days are part of what it is. */
export function newStatementOf(statement: ReportedStatement, account: StatementOf, fileId: string): NewStatement {
  const { kind, statementId, sequence, page, from, to, balances } = statement;
  const opening = balances.find(({ type }) => type === 'OPBD') ?? balances.find(({ type }) => type === 'PRCD');
  const closing = balances.find(({ type }) => type === 'CLBD');
  const amounts = balances.map(({ type, amount, sign, on }) => [type, amount.amount, sign, on]);
  const named = [kind, statementId, sequence, page?.number, from, to, amounts].map((value) => value ?? null);
  return {
    accountId: account.accountId,
    identity: createHash('sha256').update(JSON.stringify(named)).digest('base64url'),
    fileId,
    kind,
    bankId: statementId?.slice(0, 140),
    sequence,
    openingOn: opening?.on?.slice(0, 10),
    openingMinor: opening && signedMinor(opening, account.currency),
    closingOn: closing?.on?.slice(0, 10),
    closingMinor: closing && signedMinor(closing, account.currency),
  };
}

function signedMinor({ amount, sign }: ReportedBalance, currency: CurrencyCode): bigint | undefined {
  const minor = minorOf(amount, currency);
  return minor !== undefined && sign === 'debit' ? -minor : minor;
}
