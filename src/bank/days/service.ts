/** The statements of an account against its lines, day by day. */
import type { Queryable } from '../../postgres/statement.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { BankAccountService } from '../accounts/service.js';
import type { StatementDay } from './day.js';
import { listStatementDays } from './day-store.js';

export interface DaysOfAccount {
  readonly account: BankAccount;
  /** The newest first. */
  readonly days: readonly StatementDay[];
}

/** Throws `bank_account_not_found`. */
export async function daysOf(
  accounts: BankAccountService,
  database: Queryable,
  asked: { readonly accountId: string; readonly from: string; readonly to: string },
): Promise<DaysOfAccount> {
  const account = await accounts.get(database, asked.accountId);
  const { accountId, currency } = account;
  return { account, days: await listStatementDays(database, { ...asked, accountId, currency }) };
}
