/** SQL on balances: the totals, plus the journals that the totals do not cover yet. */
import { type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Account } from '../account.js';

/**
 * Adds whole months, then the days of the last month, then the hours of the last day, then single postings. So it reads
 * about as much whether the ledger has ten thousand postings or ten million. It is one statement, so that totals and
 * journals are of the same moment.
 *
 * The planner does not know how few journals the totals leave uncovered. Given a range of numbers it would read all
 * postings, so the numbers are listed one by one, and `OFFSET 0` makes it look up the postings of each journal.
 */
const listBalances = statement(
  'balance-store.list-balances',
  `SELECT account, sum(minor)::text AS minor
     FROM (SELECT account, amount_minor AS minor FROM ledger_totals
            WHERE merchant_id = $merchantId AND period = 'month'
              AND starts_at < date_trunc('month', $before::timestamptz, 'UTC')
           UNION ALL
           SELECT account, amount_minor FROM ledger_totals
            WHERE merchant_id = $merchantId AND period = 'day'
              AND starts_at >= date_trunc('month', $before::timestamptz, 'UTC')
              AND starts_at < date_trunc('day', $before::timestamptz, 'UTC')
           UNION ALL
           SELECT account, amount_minor FROM ledger_totals
            WHERE merchant_id = $merchantId AND period = 'hour'
              AND starts_at >= date_trunc('day', $before::timestamptz, 'UTC')
              AND starts_at < date_trunc('hour', $before::timestamptz, 'UTC')
           UNION ALL
           SELECT posted.account, posted.amount_minor
             FROM (SELECT journal_id FROM ledger_journals
                    WHERE merchant_id = $merchantId
                      AND occurred_at >= date_trunc('hour', $before::timestamptz, 'UTC')
                      AND occurred_at < $before::timestamptz
                      AND number <= (SELECT totals_number FROM ledgers WHERE merchant_id = $merchantId)
                   UNION ALL
                   SELECT numbered.journal_id
                     FROM generate_series((SELECT totals_number + 1 FROM ledgers WHERE merchant_id = $merchantId),
                                          (SELECT number FROM ledgers WHERE merchant_id = $merchantId)) AS uncovered (number)
                    CROSS JOIN LATERAL (SELECT journal_id FROM ledger_journals
                                         WHERE merchant_id = $merchantId AND number = uncovered.number
                                           AND occurred_at < $before::timestamptz OFFSET 0) AS numbered
                   UNION ALL
                   SELECT journal_id FROM ledger_journals
                    WHERE merchant_id = $merchantId AND occurred_at < $before::timestamptz
                      AND number IS NULL) AS journal
            CROSS JOIN LATERAL (SELECT account, amount_minor FROM ledger_postings
                                 WHERE merchant_id = $merchantId
                                   AND journal_id = journal.journal_id OFFSET 0) AS posted) AS part
    WHERE $account::text IS NULL OR account = $account
    GROUP BY account`,
).rows<{ account: Account; minor: string }>();
const listAccounts = statement(
  'balance-store.list-accounts',
  'SELECT account, opened_at FROM ledger_accounts WHERE merchant_id = $merchantId ORDER BY account',
).rows<{ account: Account; opened_at: Date }>();
const listPlaces = statement(
  'balance-store.list-places',
  `SELECT account, merchant_id FROM ledger_accounts WHERE kind IN ('bank', 'settlement')
     ORDER BY account, merchant_id`,
).rows<{ account: Account; merchant_id: bigint }>();

export interface BalanceQuery {
  /** Only what occurred before this moment, by the merchant's clock. Absent: everything. */
  readonly before?: Date | undefined;
  readonly account?: Account;
}

/** The balances in minor units, by account. A debit balance is positive. */
export async function findBalances(
  database: Queryable,
  merchantId: TenantId,
  { before, account }: BalanceQuery = {},
): Promise<ReadonlyMap<Account, bigint>> {
  const rows = await database.query(listBalances, {
    merchantId,
    before: before ?? 'infinity',
    account,
  });
  return new Map(rows.map((row) => [row.account, BigInt(row.minor)]));
}

export async function listAccountsOf(
  database: Queryable,
  merchantId: TenantId,
): Promise<{ account: Account; openedAt: Date }[]> {
  const rows = await database.query(listAccounts, { merchantId });
  return rows.map(({ account, opened_at }) => ({ account, openedAt: opened_at }));
}

/** The accounts of banks and rails in the books of all tenants, sorted. */
export async function listPlacesOfAll(database: Queryable): Promise<{ account: Account; merchantId: TenantId }[]> {
  const rows = await database.query(listPlaces);
  return rows.map(({ account, merchant_id }) => ({ account, merchantId: tenantId(merchant_id) }));
}
