/** SQL that records audit entries and chains them, merchant by merchant. */
import { type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { type AuditRecord, actorId } from './audit.js';
import type { ChainEnd, EntryContent, Link } from './chain.js';

/** The columns that the hash covers. The instance is written as NULL, as it was stored before it had the number 0. */
export const contentColumns = `ARRAY[id::text, NULLIF(merchant_id, 0)::text, actor_kind, actor_id, action, subject,
  from_state, to_state, details::text, request_id,
  to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')]`;

const insertEntry = statement(
  'audit.insert-entry',
  `INSERT INTO audit_entries
     (merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const listWaiting = statement<{ merchant_id: bigint }>(
  'audit.list-waiting',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM audit_entries WHERE sequence = 0 AND merchant_id > $1
            ORDER BY merchant_id, id LIMIT $2) AS waiting
    ORDER BY merchant_id`,
);
const lockChain = statement<ChainEnd>(
  'audit.lock-chain',
  'SELECT sequence, hash FROM audit_chains WHERE merchant_id = $1 FOR UPDATE SKIP LOCKED',
);
const startChain = statement<ChainEnd>(
  'audit.start-chain',
  `INSERT INTO audit_chains (merchant_id, sequence, hash, signed_sequence) VALUES ($1, $2, $3, $2)
   ON CONFLICT (merchant_id) DO NOTHING RETURNING sequence, hash`,
);
const listUnchained = statement<{ id: bigint; content: EntryContent }>(
  'audit.list-unchained',
  `SELECT id, ${contentColumns} AS content FROM audit_entries
    WHERE merchant_id = $1 AND sequence = 0 ORDER BY id LIMIT $2`,
);
const chainEntries = statement(
  'audit.chain-entries',
  `UPDATE audit_entries AS entry
      SET sequence = link.sequence, previous_hash = link.previous_hash, hash = link.hash
     FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[]) AS link (id, sequence, previous_hash, hash)
    WHERE entry.merchant_id = $1 AND entry.id = link.id`,
);
const moveEnd = statement(
  'audit.move-end',
  'UPDATE audit_chains SET sequence = $2, hash = $3 WHERE merchant_id = $1',
);
const findOldestUnchained = statement<{ seconds: number | null }>(
  'audit.find-oldest-unchained',
  `SELECT extract(epoch FROM clock_timestamp() - min(occurred_at))::float8 AS seconds
     FROM audit_entries WHERE sequence = 0`,
);

export async function addEntry(tx: Transaction, merchantId: TenantId, record: AuditRecord): Promise<void> {
  const { actor, action, subject, fromState, toState, details, requestId } = record;
  await tx.query(insertEntry, [
    merchantId,
    actor.kind,
    actorId(actor),
    action,
    subject,
    fromState ?? null,
    toState ?? null,
    JSON.stringify(details ?? {}),
    requestId ?? null,
  ]);
}

/** Lists merchants with entries to chain, in rising order. Reads at most `limit` entries, however many are waiting. */
export async function listWaitingMerchants(
  database: Queryable,
  after: number,
  limit: number,
): Promise<TenantId[]> {
  return (await database.query(listWaiting, [after, limit])).map((row) => tenantId(row.merchant_id));
}

/** Locks the chain and returns its end. Returns undefined when another worker has it, or when it does not exist. */
export async function lockChainEnd(tx: Transaction, merchantId: TenantId): Promise<ChainEnd | undefined> {
  return (await tx.query(lockChain, [merchantId]))[0];
}

/** Starts and locks the chain. Returns undefined when another worker has just started it. */
export async function addChain(
  tx: Transaction,
  merchantId: TenantId,
  { sequence, hash }: ChainEnd,
): Promise<ChainEnd | undefined> {
  return (await tx.query(startChain, [merchantId, sequence, hash]))[0];
}

export function listUnchainedEntries(
  tx: Transaction,
  merchantId: TenantId,
  limit: number,
): Promise<{ id: bigint; content: EntryContent }[]> {
  return tx.query(listUnchained, [merchantId, limit]);
}

/** Writes the links to their entries, and the last one as the end of the chain. */
export async function saveLinks(
  tx: Transaction,
  merchantId: TenantId,
  links: readonly Link[],
): Promise<void> {
  const end = links.at(-1);
  if (!end) return;
  await tx.query(chainEntries, [
    merchantId,
    links.map((link) => link.id),
    links.map((link) => link.sequence),
    links.map((link) => link.previousHash),
    links.map((link) => link.hash),
  ]);
  await tx.query(moveEnd, [merchantId, end.sequence, end.hash]);
}

export async function oldestUnchainedSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldestUnchained);
  return row?.seconds ?? 0;
}
