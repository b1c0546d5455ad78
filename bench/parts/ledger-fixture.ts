/**
 * Fills a ledger with a long history: real seals and hashes, each journal with its change, written with the triggers
 * off, then added to the totals.
 */
import pg from 'pg';
import { changeHash, emptyChain } from '../../src/changes/chain/chain.js';
import { journalsDigest, type SealedFields, sealedContent } from '../../src/changes/seal.js';
import type { MerchantId } from '../../src/ids.js';
import type { Journal, Posting } from '../../src/ledger/journal.js';
import { extendTotals } from '../../src/ledger/journal-number-store.js';
import type { VerifiedTo } from '../../src/ledger/ledger-store.js';
import { converted } from '../../src/ledger/postings.js';
import { type LedgerSealer, microsecondText } from '../../src/ledger/sealing/seal.js';
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
export async function fillLedger(options: FixtureOptions): Promise<{ beforeLastDay: VerifiedTo; days: number }> {
  const { url, database, sealer, merchantId, journals } = options;
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  await sql.query("SET session_replication_role = 'replica'; SET synchronous_commit = off");
  await database.transaction(async () => {});
  let end: VerifiedTo = { journals: 0n, change: emptyChain };
  let beforeLastDay = end;
  const days = Math.ceil(journals / journalsPerDay);
  for (let first = 0; first < journals; first += journalsAtOnce) {
    const batch: Filled[] = [];
    for (let index = first; index < Math.min(first + journalsAtOnce, journals); index += 1) {
      if (index === (days - 1) * journalsPerDay) beforeLastDay = end;
      const journal = journalOf(merchantId, index);
      const seal = sealer.seal(journal);
      const fields = changeOf(journal, seal);
      const changeSeal = database.seal(merchantId, sealedContent(fields));
      const at = microsecondText(journal.occurredAt);
      const number = end.change.number + 1n;
      const chained = { id: journal.journalId, sequence: null, occurredAt: at, recordedAt: at, seal: changeSeal };
      end = { journals: number, change: { number, hash: changeHash(end.change.hash, number, chained) } };
      batch.push({ journal, seal, fields, changeSeal, hash: end.change.hash });
    }
    await insert(sql, merchantId, batch);
  }
  await sql.query(
    `INSERT INTO ledger_accounts (merchant_id, account)
     SELECT DISTINCT $1::bigint, account FROM ledger_postings WHERE merchant_id = $1`,
    [merchantId],
  );
  const { number, hash } = end.change;
  await sql.query('INSERT INTO ledgers (merchant_id, number) VALUES ($1, $2)', [merchantId, end.journals]);
  await sql.query('INSERT INTO change_chains (merchant_id, number, hash) VALUES ($1, $2, $3)', [
    merchantId,
    number,
    hash,
  ]);
  await sql.query('VACUUM ANALYZE ledger_journals, ledger_postings, changes');
  const covered = end.journals - uncovered;
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
    recordedAt: new Date(firstDay + day * dayMs + Math.floor(within)),
    postings: conversionOf(`ord_${index}`),
  };
}

interface Filled {
  readonly journal: Journal;
  readonly seal: Buffer;
  /** The change that wrote it. It has the id and the number of the journal. */
  readonly fields: SealedFields;
  readonly changeSeal: Buffer;
  readonly hash: Buffer;
}

function changeOf({ merchantId, journalId }: Journal, seal: Buffer): SealedFields {
  return {
    ...{
      merchantId,
      actorKind: 'system',
      actorId: 'bench',
      approvedBy: null,
      approvalId: null,
      action: 'order.convert',
    },
    ...{ subject: `order:${journalId}`, fromState: null, toState: null, details: '{}', requestId: null, version: null },
    ...{ publicVersion: null, eventId: null, channel: null, eventType: null, objectDigest: null, previousStatus: null },
    ...{ journalIds: [journalId], journalsDigest: journalsDigest([{ journalId, seal }]), rowDigest: null },
  };
}

async function insert(sql: pg.Client, merchantId: MerchantId, batch: readonly Filled[]): Promise<void> {
  await sql.query(
    `INSERT INTO changes (merchant_id, id, actor_kind, actor_id, action, subject, details, journal_ids, journals_digest,
                          occurred_at, recorded_at, seal, number, hash)
     OVERRIDING SYSTEM VALUE
     SELECT $1, id, 'system', 'bench', 'order.convert', 'order:' || id, '{}', ARRAY[id], digest, at, at, seal, id, hash
       FROM unnest($2::bigint[], $3::timestamptz[], $4::bytea[], $5::bytea[], $6::bytea[])
            AS new (id, at, digest, seal, hash)`,
    [
      merchantId,
      batch.map(({ journal }) => journal.journalId.toString()),
      batch.map(({ journal }) => journal.occurredAt),
      batch.map(({ fields }) => fields.journalsDigest),
      batch.map(({ changeSeal }) => changeSeal),
      batch.map(({ hash }) => hash),
    ],
  );
  await sql.query(
    `INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, recorded_at, seal, number)
     SELECT $1, id, 'converted', 6, at, at, seal, id FROM unnest($2::bigint[], $3::timestamptz[], $4::bytea[]) AS new (id, at, seal)`,
    [
      merchantId,
      batch.map(({ journal }) => journal.journalId.toString()),
      batch.map(({ journal }) => journal.occurredAt),
      batch.map(({ seal }) => seal),
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
