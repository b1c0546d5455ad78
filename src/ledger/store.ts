/** SQL that writes and reads journals. */
import type { TenantId } from '../ids.js';
import { queryJoined } from '../postgres/in-step.js';
import { merchantNow } from '../postgres/merchant-clock.js';
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
 * One statement, so that an order changes its state in few round trips. Accounts are opened on their first use. The postings
 * of each journal are an array in JSON, because an array of arrays would need as many for each.
 */
export const insertJournals = statement(
  'ledger.insert-journal',
  `WITH written AS (
     SELECT journal_id, event, reverses, reason, occurred_at, seal, postings, json_array_length(postings) AS postings_count
       FROM unnest((SELECT $2::bigint[]), $3::text[], $4::bigint[], $5::text[], $6::timestamptz[], $7::bytea[], $8::json[])
            AS written (journal_id, event, reverses, reason, occurred_at, seal, postings)),
   posted AS (
     SELECT written.journal_id, written.postings_count, item.position, item.posting ->> 0 AS account,
            (item.posting ->> 1)::bigint AS minor, item.posting ->> 2 AS reference
       FROM written, json_array_elements(written.postings) WITH ORDINALITY AS item (posting, position)),
   opened AS (
     INSERT INTO ledger_accounts (merchant_id, account)
     SELECT DISTINCT $1::bigint, posted.account FROM posted
      WHERE NOT EXISTS (SELECT FROM ledger_accounts AS known
                         WHERE known.merchant_id = $1 AND known.account = posted.account)
      ORDER BY 2
     ON CONFLICT (merchant_id, account) DO NOTHING),
   journal AS (
     INSERT INTO ledger_journals
       (merchant_id, journal_id, event, reverses, reason, occurred_at, seal, postings_count)
     SELECT $1::bigint, journal_id, event, reverses, reason, occurred_at, seal, postings_count FROM written)
   INSERT INTO ledger_postings (merchant_id, journal_id, position, postings_count, account, amount_minor, reference)
   SELECT $1::bigint, posted.journal_id, posted.position, posted.postings_count, posted.account, posted.minor,
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
const findJournal = statement<JournalRow>(
  'ledger.find-journal',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $1 AND journal.journal_id = $2`,
);
const findJournals = statement<JournalRow>(
  'ledger.find-journals',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $1 AND journal.journal_id = ANY ($2)
    ORDER BY journal.journal_id`,
);
const listPage = statement<JournalRow>(
  'ledger.page-of-journals',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $1 AND (journal.occurred_at, journal.journal_id) < ($2, $3)
      AND journal.occurred_at >= $4 AND ($5::text IS NULL OR journal.event = $5)
    ORDER BY journal.occurred_at DESC, journal.journal_id DESC LIMIT $6`,
);
const listPageOfReference = statement<JournalRow>(
  'ledger.page-of-reference',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $1 AND (journal.occurred_at, journal.journal_id) < ($2, $3)
      AND journal.occurred_at >= $4 AND ($5::text IS NULL OR journal.event = $5)
      AND journal.journal_id IN (SELECT about.journal_id FROM ledger_postings AS about
                                  WHERE about.merchant_id = $1 AND about.reference = $7)
    ORDER BY journal.occurred_at DESC, journal.journal_id DESC LIMIT $6`,
);
const listOfDay = statement<JournalRow>(
  'ledger.page-of-day',
  `SELECT ${journalColumns} FROM ledger_journals AS journal
    WHERE journal.merchant_id = $1 AND (journal.occurred_at, journal.journal_id) > ($2, $3) AND journal.occurred_at < $4
    ORDER BY journal.occurred_at, journal.journal_id LIMIT $5`,
);
const readClock = statement<{ now: Date }>('ledger.read-clock', `SELECT ${merchantNow} AS now`);

export async function addJournal(tx: Transaction, journal: Journal, seal: Buffer): Promise<void> {
  const { merchantId, journalId, event, reverses, reason, occurredAt, postings } = journal;
  const rows = postings.map(({ account, minor, reference }) => [account, String(minor), reference ?? null]);
  await queryJoined(tx, insertJournals, merchantId, [
    ...[journalId, event, reverses ?? null, reason ?? null, occurredAt, seal, JSON.stringify(rows)],
  ]);
}

export async function findJournalOf(
  database: Queryable,
  merchantId: TenantId,
  journalId: bigint,
): Promise<StoredJournal | undefined> {
  const [row] = await database.query(findJournal, [merchantId, journalId]);
  return row && toJournal(merchantId, row);
}

/** The oldest first. */
export async function findJournalsOf(
  database: Queryable,
  merchantId: TenantId,
  journalIds: readonly bigint[],
): Promise<StoredJournal[]> {
  const rows = await database.query(findJournals, [merchantId, journalIds]);
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
  const values = [merchantId, before.occurredAt, before.journalId, from ?? '-infinity', event ?? null, limit];
  const rows =
    reference === undefined
      ? await database.query(listPage, values)
      : await database.query(listPageOfReference, [...values, reference]);
  return rows.map((row) => toJournal(merchantId, row));
}

/** The oldest first, beginning after the place, up to but not including `to`. */
export async function listJournalsUntil(
  database: Queryable,
  merchantId: TenantId,
  { after, to, limit }: { after: JournalPlace; to: Date; limit: number },
): Promise<StoredJournal[]> {
  const values = [merchantId, after.occurredAt, after.journalId, to, limit];
  return (await database.query(listOfDay, values)).map((row) => toJournal(merchantId, row));
}

/** The time by the merchant's clock. */
export async function readMerchantClock(database: Queryable, merchantId: TenantId): Promise<Date> {
  const [row] = await database.query(readClock, [merchantId]);
  if (!row) throw new Error('the clock was not read');
  return row.now;
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
