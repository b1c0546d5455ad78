/** SQL that reads the totals and the balances of references for verification. */
import type { TenantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Account } from '../account.js';

const countNumbered = statement(
  'verify-store.count-numbered',
  `SELECT count(*) FROM ledger_journals WHERE merchant_id = $merchantId AND number > $from AND number <= $to`,
).rows<{ count: bigint }>();
const listHours = statement(
  'verify-store.list-hours',
  `SELECT DISTINCT date_trunc('hour', occurred_at, 'UTC') AS starts_at FROM ledger_journals
    WHERE merchant_id = $merchantId AND number > $from AND number <= $to`,
).rows<{ starts_at: Date }>();
interface WrongTotalRow {
  starts_at: Date;
  account: Account;
}
/** `OFFSET 0` makes the planner look each hour up in the index, instead of reading all journals and postings. */
const findWrongHours = statement(
  'verify-store.find-wrong-hours',
  `SELECT starts_at, account
     FROM (SELECT hour.starts_at, posted.account, sum(posted.amount_minor) AS amount
             FROM unnest($hours::timestamptz[]) AS hour (starts_at)
            CROSS JOIN LATERAL (SELECT journal_id FROM ledger_journals
                                 WHERE merchant_id = $merchantId AND occurred_at >= hour.starts_at
                                   AND occurred_at < hour.starts_at + interval '1 hour'
                                   AND number <= (SELECT totals_number FROM ledgers WHERE merchant_id = $merchantId)
                                OFFSET 0) AS journal
            CROSS JOIN LATERAL (SELECT account, amount_minor FROM ledger_postings
                                 WHERE merchant_id = $merchantId
                                   AND journal_id = journal.journal_id OFFSET 0) AS posted
            GROUP BY hour.starts_at, posted.account) AS summed
     FULL JOIN (SELECT starts_at, account, amount_minor FROM ledger_totals
                 WHERE merchant_id = $merchantId AND period = 'hour'
                   AND starts_at = ANY ($hours)) AS kept USING (starts_at, account)
    WHERE coalesce(summed.amount, 0) <> coalesce(kept.amount_minor, 0)
    ORDER BY starts_at, account LIMIT 10`,
).rows<WrongTotalRow>();
/** A day must be the sum of its hours, and a month that of its days. */
const findWrongSums = statement(
  'verify-store.find-wrong-sums',
  `SELECT starts_at, account
     FROM (SELECT whole.starts_at, part.account, sum(part.amount_minor) AS amount
             FROM unnest($starts::timestamptz[]) AS whole (starts_at)
            CROSS JOIN LATERAL (SELECT account, amount_minor FROM ledger_totals
                                 WHERE merchant_id = $merchantId AND period = $part AND starts_at >= whole.starts_at
                                   AND starts_at < ((whole.starts_at AT TIME ZONE 'UTC') + $span::interval) AT TIME ZONE 'UTC'
                                OFFSET 0) AS part
            GROUP BY whole.starts_at, part.account) AS summed
     FULL JOIN (SELECT starts_at, account, amount_minor FROM ledger_totals
                 WHERE merchant_id = $merchantId AND period = $whole
                   AND starts_at = ANY ($starts)) AS kept USING (starts_at, account)
    WHERE coalesce(summed.amount, 0) <> coalesce(kept.amount_minor, 0)
    ORDER BY starts_at, account LIMIT 10`,
).rows<WrongTotalRow>();
const listAccounts = statement(
  'verify-store.list-accounts',
  'SELECT account FROM ledger_accounts WHERE merchant_id = $merchantId',
).rows<{ account: Account }>();
const sumReferences = statement(
  'verify-store.sum-references',
  `SELECT reference, account, sum(amount_minor)::text AS minor FROM ledger_postings
    WHERE merchant_id = $merchantId AND reference = ANY ($references)
    GROUP BY reference, account`,
).rows<{ reference: string; account: Account; minor: string }>();

/** How many journals have a number after `from` up to `to`. */
export async function countNumberedJournals(
  database: Queryable,
  merchantId: TenantId,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<bigint> {
  return (await database.query(countNumbered, { merchantId, from, to }))[0]?.count ?? 0n;
}

/** The hours in which the journals after `from` up to `to` occurred. */
export async function listHoursOf(
  database: Queryable,
  merchantId: TenantId,
  from: bigint,
  to: bigint,
): Promise<Date[]> {
  return (await database.query(listHours, { merchantId, from, to })).map((row) => row.starts_at);
}

export interface WrongTotal {
  readonly startsAt: Date;
  readonly account: Account;
}

export async function findWrongHourTotals(
  database: Queryable,
  merchantId: TenantId,
  hours: readonly Date[],
): Promise<WrongTotal[]> {
  return (await database.query(findWrongHours, { merchantId, hours })).map(toWrongTotal);
}

export async function findWrongSumTotals(
  database: Queryable,
  merchantId: TenantId,
  starts: readonly Date[],
  whole: 'day' | 'month',
): Promise<WrongTotal[]> {
  const part = whole === 'day' ? 'hour' : 'day';
  return (await database.query(findWrongSums, { merchantId, starts, part, whole, span: `1 ${whole}` })).map(
    toWrongTotal,
  );
}

export async function listOpenedAccounts(database: Queryable, merchantId: TenantId): Promise<ReadonlySet<Account>> {
  return new Set((await database.query(listAccounts, { merchantId })).map((row) => row.account));
}

export interface ReferenceBalance {
  readonly reference: string;
  readonly account: Account;
  readonly minor: bigint;
}

/** The balance of each account for each reference. */
export async function sumOfReferences(
  database: Queryable,
  merchantId: TenantId,
  references: readonly string[],
): Promise<ReferenceBalance[]> {
  const rows = await database.query(sumReferences, { merchantId, references });
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
}

function toWrongTotal(row: WrongTotalRow): WrongTotal {
  return { startsAt: row.starts_at, account: row.account };
}
