/** SQL on balances: the totals, plus the journals that the totals do not cover yet. */
import type { TenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { Account } from './account.js';

/**
 * Adds whole months, then the days of the last month, then the hours of the last day, then single postings. So it reads
 * about as much whether the ledger has ten thousand postings or ten million. It is one statement, so that totals and
 * journals are of the same moment.
 */
const listBalances = statement<{ account: Account; minor: string }>(
  'balance-store.list-balances',
  `SELECT account, sum(minor)::text AS minor
     FROM (SELECT account, amount_minor AS minor FROM ledger_totals
            WHERE merchant_id = $1 AND period = 'month' AND starts_at < date_trunc('month', $2::timestamptz, 'UTC')
           UNION ALL
           SELECT account, amount_minor FROM ledger_totals
            WHERE merchant_id = $1 AND period = 'day' AND starts_at >= date_trunc('month', $2::timestamptz, 'UTC')
              AND starts_at < date_trunc('day', $2::timestamptz, 'UTC')
           UNION ALL
           SELECT account, amount_minor FROM ledger_totals
            WHERE merchant_id = $1 AND period = 'hour' AND starts_at >= date_trunc('day', $2::timestamptz, 'UTC')
              AND starts_at < date_trunc('hour', $2::timestamptz, 'UTC')
           UNION ALL
           SELECT posting.account, posting.amount_minor
             FROM ledger_journals AS journal
             JOIN ledger_postings AS posting
               ON posting.merchant_id = journal.merchant_id AND posting.journal_id = journal.journal_id
            WHERE journal.merchant_id = $1 AND journal.occurred_at >= date_trunc('hour', $2::timestamptz, 'UTC')
              AND journal.occurred_at < $2::timestamptz
              AND journal.number <= (SELECT totals_number FROM ledgers WHERE merchant_id = $1)
           UNION ALL
           SELECT posting.account, posting.amount_minor
             FROM ledger_journals AS journal
             JOIN ledger_postings AS posting
               ON posting.merchant_id = journal.merchant_id AND posting.journal_id = journal.journal_id
            WHERE journal.merchant_id = $1 AND journal.occurred_at < $2::timestamptz
              AND journal.number > (SELECT totals_number FROM ledgers WHERE merchant_id = $1)
           UNION ALL
           SELECT posting.account, posting.amount_minor
             FROM ledger_journals AS journal
             JOIN ledger_postings AS posting
               ON posting.merchant_id = journal.merchant_id AND posting.journal_id = journal.journal_id
            WHERE journal.merchant_id = $1 AND journal.occurred_at < $2::timestamptz AND journal.number IS NULL) AS part
    WHERE $3::text IS NULL OR account = $3
    GROUP BY account`,
);
const listAccounts = statement<{ account: Account; opened_at: Date }>(
  'balance-store.list-accounts',
  'SELECT account, opened_at FROM ledger_accounts WHERE merchant_id = $1 ORDER BY account',
);

export interface BalanceQuery {
  /** Only what occurred before this moment, by the merchant's clock. Absent: everything. */
  readonly before?: Date | undefined;
  /** Only this account. */
  readonly account?: Account;
}

/** The balances in minor units, by account. A debit balance is positive. */
export async function findBalances(
  database: Queryable,
  merchantId: TenantId,
  { before, account }: BalanceQuery = {},
): Promise<ReadonlyMap<Account, bigint>> {
  const values = [merchantId, before ?? 'infinity', account ?? null];
  const rows = await database.query(listBalances, values);
  return new Map(rows.map((row) => [row.account, BigInt(row.minor)]));
}

export async function listAccountsOf(
  database: Queryable,
  merchantId: TenantId,
): Promise<{ account: Account; openedAt: Date }[]> {
  const rows = await database.query(listAccounts, [merchantId]);
  return rows.map(({ account, opened_at }) => ({ account, openedAt: opened_at }));
}
