/**
 * Fills a ledger with a long history: real seals and hashes, written with the triggers off, then added to the totals.
 */
import pg from 'pg';
import type { MerchantId } from '../../src/ids.js';
import type { Journal, Posting } from '../../src/ledger/journal.js';
import { extendTotals } from '../../src/ledger/journal-number-store.js';
import { converted } from '../../src/ledger/postings.js';
import { emptyLedger, type LedgerEnd, type LedgerSealer, microsecondText } from '../../src/ledger/sealing/seal.js';
import { amount } from '../../src/money/amount.js';
import type { Database } from '../../src/postgres/database.js';

export const journalsPerDay = 500;
const journalsAtOnce = 2000;
const totalsAtOnce = 5000n;
/** The last journals wait to be added to the totals, as they do in a running service. */
const uncovered = 100n;
export const firstDay = Date.UTC(2017, 0, 1);
const dayMs = 86_400_000;

/** A conversion with six postings. */
export function conversionOf(order: string): readonly Posting[] {
  const [amountIn, fee, amountOut] = [amount('EUR', 10_000n), amount('EUR', 200n), amount('MXN', 195_204n)];
  const terms = {
    amountIn,
    fee,
    amountOut,
    midRate: { coefficient: 2_012n, scale: 2 },
    marginBasisPoints: 100,
  };
  return converted(order, terms)
    .postings.filter(({ account }) => !account.startsWith('rounding'))
    .map(balanced);
}

/** Takes what rounding would have from the payout, so that there are six postings. */
function balanced(posting: Posting): Posting {
  return posting.account.startsWith('payout') ? { ...posting, minor: posting.minor - 1n } : posting;
}

export interface FixtureOptions {
  readonly url: string;
  readonly database: Database;
  readonly sealer: LedgerSealer;
  readonly merchantId: MerchantId;
  readonly journals: number;
}

/** Returns the end before the last day, where a daily verification begins. */
export async function fillLedger(options: FixtureOptions): Promise<{ beforeLastDay: LedgerEnd; days: number }> {
  const { url, database, sealer, merchantId, journals } = options;
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  await sql.query("SET session_replication_role = 'replica'; SET synchronous_commit = off");
  let end = emptyLedger;
  let beforeLastDay = emptyLedger;
  const days = Math.ceil(journals / journalsPerDay);
  for (let first = 0; first < journals; first += journalsAtOnce) {
    const batch: { journal: Journal; seal: Buffer; end: LedgerEnd }[] = [];
    for (let index = first; index < Math.min(first + journalsAtOnce, journals); index += 1) {
      if (index === (days - 1) * journalsPerDay) beforeLastDay = end;
      const journal = journalOf(merchantId, index);
      const seal = sealer.seal(journal);
      const recordedAt = microsecondText(journal.occurredAt);
      const number = end.number + 1n;
      const { journalId } = journal;
      end = { number, hash: sealer.chainHash(merchantId, end.hash, number, { journalId, recordedAt, seal }) };
      batch.push({ journal, seal, end });
    }
    await insert(sql, merchantId, batch);
  }
  await sql.query(
    `INSERT INTO ledger_accounts (merchant_id, account)
     SELECT DISTINCT $1::bigint, account FROM ledger_postings WHERE merchant_id = $1`,
    [merchantId],
  );
  await sql.query(`INSERT INTO ledgers (merchant_id, number, hash, verified_hash) VALUES ($1, $2, $3, $4)`, [
    merchantId,
    end.number,
    end.hash,
    emptyLedger.hash,
  ]);
  await sql.query('VACUUM ANALYZE ledger_journals, ledger_postings');
  const covered = end.number - uncovered;
  for (let from = 0n; from < covered; from += totalsAtOnce) {
    const left = covered - from;
    const to = left < totalsAtOnce ? covered : from + totalsAtOnce;
    await database.transaction((tx) => extendTotals(tx, merchantId, from, to));
  }
  await sql.query('VACUUM ANALYZE ledger_totals, ledgers, ledger_accounts');
  await sql.query('CHECKPOINT');
  await sql.end();
  return { beforeLastDay, days };
}

function journalOf(merchantId: MerchantId, index: number): Journal {
  const day = Math.floor(index / journalsPerDay);
  const within = ((index % journalsPerDay) * dayMs) / journalsPerDay;
  return {
    merchantId,
    journalId: BigInt(index + 1),
    event: 'converted',
    occurredAt: new Date(firstDay + day * dayMs + Math.floor(within)),
    postings: conversionOf(`ord_${index}`),
  };
}

async function insert(
  sql: pg.Client,
  merchantId: MerchantId,
  batch: readonly { journal: Journal; seal: Buffer; end: LedgerEnd }[],
): Promise<void> {
  await sql.query(
    `INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, recorded_at, seal, number, hash)
     SELECT $1, id, 'converted', 6, at, at, seal, number, hash
       FROM unnest($2::bigint[], $3::timestamptz[], $4::bytea[], $5::bigint[], $6::bytea[]) AS new (id, at, seal, number, hash)`,
    [
      merchantId,
      batch.map(({ journal }) => journal.journalId.toString()),
      batch.map(({ journal }) => journal.occurredAt),
      batch.map(({ seal }) => seal),
      batch.map(({ end }) => end.number.toString()),
      batch.map(({ end }) => end.hash),
    ],
  );
  const all = batch.flatMap(({ journal }) =>
    journal.postings.map((posting, index) => ({ ...posting, id: journal.journalId, position: index + 1 })),
  );
  await sql.query(
    `INSERT INTO ledger_postings
     SELECT $1, id, position, 6, account, minor, reference
       FROM unnest($2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[]) AS new (id, position, account, minor, reference)`,
    [
      merchantId,
      all.map(({ id }) => id.toString()),
      all.map(({ position }) => position),
      all.map(({ account }) => account),
      all.map(({ minor }) => minor.toString()),
      all.map(({ reference }) => reference ?? null),
    ],
  );
}
