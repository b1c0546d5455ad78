/** SQL that numbers committed journals, and adds numbered ones to the totals. */
import type { TenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { type SealedJournal, type SealedRow, sealedColumns, toSealed } from './sealing/sealed-journal.js';

const listUnnumbered = statement(
  'journal-number-store.list-unnumbered',
  `SELECT ${sealedColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND journal.number IS NULL AND journal.journal_id > $after
    ORDER BY journal.journal_id LIMIT $limit`,
).rows<SealedRow>();
const listByIds = statement(
  'journal-number-store.list-by-ids',
  `SELECT ${sealedColumns}, journal.number FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND journal.journal_id = ANY ($journalIds)`,
).rows<SealedRow & { number: bigint | null }>();
const numberJournals = statement(
  'journal-number-store.number-journals',
  `UPDATE ledger_journals AS journal SET number = link.position + $before::bigint
     FROM unnest($journalIds::bigint[]) WITH ORDINALITY AS link (journal_id, position)
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

export async function listUnnumberedJournals(
  database: Queryable,
  merchantId: TenantId,
  after: bigint,
  limit: number,
): Promise<SealedJournal[]> {
  const rows = await database.query(listUnnumbered, { merchantId, after, limit });
  return rows.map((row) => toSealed(merchantId, row));
}

/** The number is undefined until it is given. */
export type ReadJournal = SealedJournal & { readonly number: bigint | undefined };

export async function listJournalsByIds(
  database: Queryable,
  merchantId: TenantId,
  journalIds: readonly bigint[],
): Promise<ReadJournal[]> {
  const rows = await database.query(listByIds, { merchantId, journalIds });
  return rows.map((row) => ({ ...toSealed(merchantId, row), number: row.number ?? undefined }));
}

/** Numbers the journals in this order, beginning with `first`. */
export async function saveNumbers(
  tx: Transaction,
  merchantId: TenantId,
  journalIds: readonly bigint[],
  first: bigint,
): Promise<void> {
  await tx.query(numberJournals, { merchantId, journalIds, before: first - 1n });
}

/** Adds the journals after `from` up to `to`. Call it under the lock of the merchant's chain. */
export async function extendTotals(tx: Transaction, merchantId: TenantId, from: bigint, to: bigint): Promise<void> {
  await tx.query(addToTotals, { merchantId, from, to });
  await tx.query(moveTotals, { merchantId, to });
}
