/** SQL that numbers committed journals, and adds numbered ones to the totals. */
import { type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { LedgerEnd } from './sealing/seal.js';
import { type SealedJournal, type SealedRow, sealedColumns, toSealed } from './sealing/sealed-journal.js';

const listWaiting = statement(
  'journal-number-store.list-waiting',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM ledger_journals WHERE number IS NULL AND merchant_id > $after
            ORDER BY merchant_id, journal_id LIMIT $limit) AS waiting
    ORDER BY merchant_id`,
).rows<{ merchant_id: bigint }>();
const findOldest = statement(
  'journal-number-store.find-oldest-unnumbered',
  `SELECT extract(epoch FROM statement_timestamp() - min(recorded_at))::float8 AS seconds
     FROM ledger_journals WHERE number IS NULL`,
).rows<{ seconds: number | null }>();
const listUnnumbered = statement(
  'journal-number-store.list-unnumbered',
  `SELECT ${sealedColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND journal.number IS NULL AND journal.journal_id > $after
    ORDER BY journal.journal_id LIMIT $limit`,
).rows<SealedRow>();
const numberJournals = statement(
  'journal-number-store.number-journals',
  `UPDATE ledger_journals AS journal SET number = link.number, hash = link.hash
     FROM unnest($journalIds::bigint[], $links::bigint[], $hashs::bytea[]) AS link (journal_id, number, hash)
    WHERE journal.merchant_id = $merchantId AND journal.journal_id = link.journal_id`,
);
const addToTotals = statement(
  'journal-number-store.add-to-totals',
  `INSERT INTO ledger_totals (merchant_id, period, starts_at, account, amount_minor)
   SELECT $merchantId::bigint, part.period, date_trunc(part.period, journal.occurred_at, 'UTC'), posted.account,
          sum(posted.amount_minor)
     FROM ledger_journals AS journal
    CROSS JOIN LATERAL (SELECT account, amount_minor FROM ledger_postings
                         WHERE merchant_id = $merchantId AND journal_id = journal.journal_id OFFSET 0) AS posted
    CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS part (period)
    WHERE journal.merchant_id = $merchantId AND journal.number > $from AND journal.number <= $to
    GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
   ON CONFLICT (merchant_id, period, starts_at, account)
   DO UPDATE SET amount_minor = ledger_totals.amount_minor + excluded.amount_minor`,
);
const moveTotals = statement(
  'journal-number-store.move-totals',
  'UPDATE ledgers SET totals_number = $to WHERE merchant_id = $merchantId',
);

/** Merchants with journals to number, in rising order. Reads at most `limit` journals, however many are waiting. */
export async function listWaitingMerchants(database: Queryable, after: number, limit: number): Promise<TenantId[]> {
  return (await database.query(listWaiting, { after, limit })).map((row) => tenantId(row.merchant_id));
}

export async function oldestUnnumberedSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldest))[0]?.seconds ?? 0;
}

export async function listUnnumberedJournals(
  database: Queryable,
  merchantId: TenantId,
  after: bigint,
  limit: number,
): Promise<SealedJournal[]> {
  const rows = await database.query(listUnnumbered, { merchantId, after, limit });
  return rows.map((row) => toSealed(merchantId, row));
}

export async function saveNumbers(
  tx: Transaction,
  merchantId: TenantId,
  links: readonly (LedgerEnd & { readonly journalId: bigint })[],
): Promise<void> {
  await tx.query(numberJournals, {
    merchantId,
    journalIds: links.map((link) => link.journalId),
    links: links.map((link) => link.number),
    hashs: links.map((link) => link.hash),
  });
}

/** Adds the journals after `from` up to `to`. Call it under the lock of the ledger. */
export async function extendTotals(tx: Transaction, merchantId: TenantId, from: bigint, to: bigint): Promise<void> {
  await tx.query(addToTotals, { merchantId, from, to });
  await tx.query(moveTotals, { merchantId, to });
}
