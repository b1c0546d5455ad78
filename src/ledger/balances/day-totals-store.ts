/** SQL that adds up the journals of a day, of one ledger or of all. */
import { type TenantId, tenantId } from '../../ids.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { AccountKind } from '../account.js';

/** Each ledger is read by its own index of times. */
const journalsOfDay = `ledgers AS book JOIN ledger_journals AS journal
       ON journal.merchant_id = book.merchant_id AND journal.occurred_at >= $from AND journal.occurred_at < $to` as const;
const isAsked = '($merchantId::bigint IS NULL OR book.merchant_id = $merchantId)' as const;

const sumByEvent = statement(
  'day-totals-store.sum-by-event',
  `SELECT journal.event, split_part(posting.account, ':', 1) AS kind, split_part(posting.account, ':', 2) AS currency,
          count(DISTINCT (journal.merchant_id, journal.journal_id))::int AS count,
          sum(posting.amount_minor)::bigint AS minor
     FROM ${journalsOfDay}
     JOIN ledger_postings AS posting ON posting.merchant_id = journal.merchant_id AND posting.journal_id = journal.journal_id
    WHERE ${isAsked}
    GROUP BY 1, 2, 3`,
).rows<{ event: string; kind: AccountKind; currency: CurrencyCode; count: number; minor: bigint }>();
/** A reversal has the postings of its conversion with the other sign. */
const sumByCorridor = statement(
  'day-totals-store.sum-by-corridor',
  `SELECT split_part(paid.account, ':', 2) AS fiat_in, split_part(due.account, ':', 2) AS fiat_out,
          sum(sign(paid.amount_minor))::int AS count, sum(paid.amount_minor)::bigint AS in_minor,
          -sum(due.amount_minor)::bigint AS out_minor, -coalesce(sum(fee.amount_minor), 0)::bigint AS fee_minor,
          -coalesce(sum(margin.amount_minor), 0)::bigint AS margin_minor
     FROM ${journalsOfDay}
     JOIN ledger_postings AS paid ON paid.merchant_id = journal.merchant_id AND paid.journal_id = journal.journal_id
          AND paid.account LIKE 'liability:%'
     JOIN ledger_postings AS due ON due.merchant_id = journal.merchant_id AND due.journal_id = journal.journal_id
          AND due.account LIKE 'payout:%'
     LEFT JOIN ledger_postings AS fee ON fee.merchant_id = journal.merchant_id AND fee.journal_id = journal.journal_id
          AND fee.account LIKE 'fee:%'
     LEFT JOIN ledger_postings AS margin ON margin.merchant_id = journal.merchant_id
          AND margin.journal_id = journal.journal_id AND margin.account LIKE 'margin:%'
    WHERE ${isAsked} AND journal.event IN ('converted', 'conversion_reversed')
    GROUP BY 1, 2 ORDER BY 1, 2`,
).rows<{
  fiat_in: CurrencyCode;
  fiat_out: CurrencyCode;
  count: number;
  in_minor: bigint;
  out_minor: bigint;
  fee_minor: bigint;
  margin_minor: bigint;
}>();
const listTenants = statement('day-totals-store.list-tenants', 'SELECT merchant_id FROM ledgers').rows<{
  merchant_id: bigint;
}>();

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export async function sumsByEvent(database: Queryable, merchantId: TenantId | undefined, { from, to }: Period) {
  return database.query(sumByEvent, { merchantId: merchantId ?? null, from, to });
}

export async function sumsByCorridor(database: Queryable, merchantId: TenantId | undefined, { from, to }: Period) {
  return database.query(sumByCorridor, { merchantId: merchantId ?? null, from, to });
}

export async function listLedgers(database: Queryable): Promise<TenantId[]> {
  return (await database.query(listTenants)).map((row) => tenantId(row.merchant_id));
}
