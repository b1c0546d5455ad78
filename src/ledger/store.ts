/** SQL that writes and reads journals. */
import type { TenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { Account } from './account.js';
import type { Journal, Posting, StoredJournal } from './journal.js';

/** The account, the minor units and the reference of each posting, in their order. */
export type PostingRow = readonly [account: Account, minor: string, reference: string | null];

interface JournalRow {
  journal_id: bigint;
  event: string;
  reverses: bigint | null;
  reason: string | null;
  occurred_at: Date;
  recorded_at: Date;
  number: bigint | null;
  reversed_by: bigint | null;
  postings: PostingRow[];
}

/**
 * One statement, so that an order changes its state in few round trips. Accounts are opened on their first use. The
 * postings are an array in JSON: PostgreSQL assumes the same number for every call then, and plans the statement once.
 */
export const insertJournal = statement(
  'ledger.insert-journal',
  `WITH posted AS (
     SELECT item.position, item.posting ->> 0 AS account, (item.posting ->> 1)::bigint AS minor,
            item.posting ->> 2 AS reference
       FROM json_array_elements($postings::json) WITH ORDINALITY AS item (posting, position)),
   opened AS (
     INSERT INTO ledger_accounts (merchant_id, account)
     SELECT DISTINCT $merchantId::bigint, posted.account FROM posted
      WHERE NOT EXISTS (SELECT FROM ledger_accounts AS known
                         WHERE known.merchant_id = $merchantId AND known.account = posted.account)
      ORDER BY 2
     ON CONFLICT (merchant_id, account) DO NOTHING),
   journal AS (
     INSERT INTO ledger_journals (merchant_id, journal_id, event, reverses, reason, occurred_at, recorded_at, seal,
       postings_count)
     VALUES ($merchantId, $journalId, $event, $reverses, $reason, $occurredAt, $recordedAt, $seal, $postingsCount::int))
   INSERT INTO ledger_postings (merchant_id, journal_id, position, postings_count, account, amount_minor, reference)
   SELECT $merchantId::bigint, $journalId::bigint, posted.position, $postingsCount::int, posted.account, posted.minor,
          posted.reference
     FROM posted`,
);
const postingsOfJournal = `(SELECT json_agg(json_build_array(posting.account, posting.amount_minor::text, posting.reference)
                             ORDER BY posting.position)
            FROM ledger_postings AS posting
           WHERE posting.merchant_id = journal.merchant_id AND posting.journal_id = journal.journal_id) AS postings`;
const journalColumns = `journal.journal_id, journal.event, journal.reverses, journal.reason, journal.occurred_at,
          journal.recorded_at, journal.number,
          (SELECT reversal.journal_id FROM ledger_journals AS reversal
            WHERE reversal.merchant_id = journal.merchant_id AND reversal.reverses = journal.journal_id) AS reversed_by,
          ${postingsOfJournal}`;
const findJournal = statement(
  'ledger.find-journal',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND journal.journal_id = $journalId`,
).rows<JournalRow>();
const findJournals = statement(
  'ledger.find-journals',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND journal.journal_id = ANY ($journalIds)
    ORDER BY journal.journal_id`,
).rows<JournalRow>();
const listPage = statement(
  'ledger.page-of-journals',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND (journal.occurred_at, journal.journal_id) < ($occurredAt, $journalId)
      AND journal.occurred_at >= $from AND ($event::text IS NULL OR journal.event = $event)
    ORDER BY journal.occurred_at DESC, journal.journal_id DESC LIMIT $limit`,
).rows<JournalRow>();
const listPageOfReference = statement(
  'ledger.page-of-reference',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND (journal.occurred_at, journal.journal_id) < ($occurredAt, $journalId)
      AND journal.occurred_at >= $from AND ($event::text IS NULL OR journal.event = $event)
      AND journal.journal_id IN (SELECT about.journal_id FROM ledger_postings AS about
                                  WHERE about.merchant_id = $merchantId AND about.reference = $reference)
    ORDER BY journal.occurred_at DESC, journal.journal_id DESC LIMIT $limit`,
).rows<JournalRow>();
const listOfDay = statement(
  'ledger.page-of-day',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $merchantId AND (journal.occurred_at, journal.journal_id) > ($occurredAt, $journalId)
      AND journal.occurred_at < $to
    ORDER BY journal.occurred_at, journal.journal_id LIMIT $limit`,
).rows<JournalRow>();

export async function addJournal(tx: Transaction, journal: Journal, seal: Buffer): Promise<void> {
  const { merchantId, journalId, event, reverses, reason, occurredAt, recordedAt, postings } = journal;
  const rows = postings.map(({ account, minor, reference }) => [account, String(minor), reference ?? null]);
  await tx.query(insertJournal, {
    merchantId,
    journalId,
    event,
    reverses,
    reason,
    occurredAt,
    recordedAt,
    seal,
    postings: JSON.stringify(rows),
    postingsCount: rows.length,
  });
}

export async function findJournalOf(
  database: Queryable,
  merchantId: TenantId,
  journalId: bigint,
): Promise<StoredJournal | undefined> {
  const [row] = await database.query(findJournal, { merchantId, journalId });
  return row && toJournal(merchantId, row);
}

/** The oldest first. */
export async function findJournalsOf(
  database: Queryable,
  merchantId: TenantId,
  journalIds: readonly bigint[],
): Promise<StoredJournal[]> {
  const rows = await database.query(findJournals, { merchantId, journalIds });
  return rows.map((row) => toJournal(merchantId, row));
}

/** A place in a list of journals, which is sorted by time, then by id. */
export interface JournalPlace {
  readonly occurredAt: Date | string;
  readonly journalId: bigint;
}

export interface JournalFilter {
  readonly event: string | undefined;
  readonly reference: string | undefined;
  /** Only journals of this moment or later. */
  readonly from: Date | undefined;
}

/** The newest first, beginning after the place. */
export async function listJournals(
  database: Queryable,
  merchantId: TenantId,
  { event, reference, from }: JournalFilter,
  { before, limit }: { before: JournalPlace; limit: number },
): Promise<StoredJournal[]> {
  const { occurredAt, journalId } = before;
  const filter = { from: from ?? '-infinity', event: event ?? null };
  const values = { merchantId, occurredAt, journalId, ...filter, limit };
  const rows =
    reference === undefined
      ? await database.query(listPage, values)
      : await database.query(listPageOfReference, { ...values, reference });
  return rows.map((row) => toJournal(merchantId, row));
}

/** The oldest first, beginning after the place, up to but not including `to`. */
export async function listJournalsUntil(
  database: Queryable,
  merchantId: TenantId,
  { after, to, limit }: { after: JournalPlace; to: Date; limit: number },
): Promise<StoredJournal[]> {
  const { occurredAt, journalId } = after;
  const rows = await database.query(listOfDay, { merchantId, occurredAt, journalId, to, limit });
  return rows.map((row) => toJournal(merchantId, row));
}

export function toPostings(rows: readonly PostingRow[] | null): Posting[] {
  return (rows ?? []).map(([account, minor, reference]) => ({
    account,
    minor: BigInt(minor),
    ...(reference === null ? {} : { reference }),
  }));
}

function toJournal(merchantId: TenantId, row: JournalRow): StoredJournal {
  return {
    merchantId,
    journalId: row.journal_id,
    event: row.event,
    ...(row.reverses === null ? {} : { reverses: row.reverses }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    number: row.number ?? undefined,
    reversedBy: row.reversed_by ?? undefined,
    postings: toPostings(row.postings),
  };
}
