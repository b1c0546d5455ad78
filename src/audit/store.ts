/** SQL on the audit tables. One chain covers the entries of all merchants. */
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { type AuditHead, type AuditRecord, actorId, type ChainedEntry } from './audit.js';

interface EntryRow {
  id: bigint;
  content: (string | null)[];
}
interface ChainedRow {
  content: (string | null)[];
  sequence: bigint;
  previous_hash: Buffer;
  hash: Buffer;
}

const insertEntry = statement(
  'audit.insert-entry',
  `INSERT INTO audit_entries
     (merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const tryChainLock = statement<{ taken: boolean }>(
  'audit.try-chain-lock',
  'SELECT pg_try_advisory_xact_lock(1635083369) AS taken',
);
const findEnd = statement<{ sequence: bigint; hash: Buffer }>(
  'audit.find-end',
  'SELECT sequence, hash FROM audit_entries WHERE sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1',
);
const listUnchained = statement<EntryRow>(
  'audit.list-unchained',
  `SELECT id, ARRAY[id::text, merchant_id::text, actor_kind, actor_id, action, subject, from_state, to_state,
                    details::text, request_id,
                    to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')] AS content
     FROM audit_entries WHERE sequence IS NULL ORDER BY id LIMIT $1`,
);
const chainEntries = statement(
  'audit.chain-entries',
  `UPDATE audit_entries AS entry
      SET sequence = link.sequence, previous_hash = link.previous_hash, hash = link.hash
     FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[]) AS link (id, sequence, previous_hash, hash)
    WHERE entry.id = link.id`,
);
const insertHead = statement(
  'audit.insert-head',
  'INSERT INTO audit_heads (sequence, hash, signature) VALUES ($1, $2, $3)',
);
const listHeads = statement<AuditHead>(
  'audit.list-heads',
  'SELECT sequence, hash, signature FROM audit_heads WHERE sequence > $1 ORDER BY sequence LIMIT $2',
);
const findHead = statement<AuditHead>(
  'audit.find-last-head',
  'SELECT sequence, hash, signature FROM audit_heads ORDER BY sequence DESC LIMIT 1',
);
const listChained = statement<ChainedRow>(
  'audit.list-chained',
  `SELECT sequence, previous_hash, hash,
          ARRAY[id::text, merchant_id::text, actor_kind, actor_id, action, subject, from_state, to_state,
                details::text, request_id,
                to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')] AS content
     FROM audit_entries WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
);
const findExistence = statement<{ has_entries: boolean; has_accounts: boolean }>(
  'audit.find-traces',
  `SELECT EXISTS (SELECT FROM audit_entries) AS has_entries,
          EXISTS (SELECT FROM merchants) OR EXISTS (SELECT FROM operators) AS has_accounts`,
);
const findOldestUnchained = statement<{ seconds: number | null }>(
  'audit.find-oldest-unchained',
  `SELECT extract(epoch FROM clock_timestamp() - min(occurred_at))::float8 AS seconds
     FROM audit_entries WHERE sequence IS NULL`,
);

export async function addEntry(tx: Transaction, record: AuditRecord): Promise<void> {
  const { actor, merchantId, action, subject, fromState, toState, details, requestId } = record;
  await tx.query(insertEntry, [
    merchantId ?? null,
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

/** Returns false while another node is chaining. */
export async function lockChain(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query(tryChainLock);
  return row?.taken ?? false;
}

export async function findChainEnd(tx: Transaction): Promise<{ sequence: bigint; hash: Buffer } | undefined> {
  return (await tx.query(findEnd))[0];
}

export function listUnchainedEntries(tx: Transaction, limit: number): Promise<EntryRow[]> {
  return tx.query(listUnchained, [limit]);
}

export async function saveLinks(
  tx: Transaction,
  links: readonly { id: bigint; sequence: bigint; previousHash: Buffer; hash: Buffer }[],
): Promise<void> {
  await tx.query(chainEntries, [
    links.map((link) => link.id),
    links.map((link) => link.sequence),
    links.map((link) => link.previousHash),
    links.map((link) => link.hash),
  ]);
}

export async function addHead(tx: Transaction, head: AuditHead): Promise<void> {
  await tx.query(insertHead, [head.sequence, head.hash, head.signature]);
}

export async function findLastHead(database: Queryable): Promise<AuditHead | undefined> {
  return (await database.query(findHead))[0];
}

export function listHeadsAfter(database: Queryable, sequence: bigint, limit: number): Promise<AuditHead[]> {
  return database.query(listHeads, [sequence, limit]);
}

export async function listChainedAfter(
  database: Queryable,
  sequence: bigint,
  limit: number,
): Promise<ChainedEntry[]> {
  const rows = await database.query(listChained, [sequence, limit]);
  return rows.map((row) => ({
    content: row.content,
    sequence: row.sequence,
    previousHash: row.previous_hash,
    hash: row.hash,
  }));
}

export async function oldestUnchainedSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldestUnchained);
  return row?.seconds ?? 0;
}

/** Whether the log has entries, chained or not, and whether accounts exist whose creation it must contain. */
export async function findLogExistence(
  database: Queryable,
): Promise<{ hasEntries: boolean; hasAccounts: boolean }> {
  const [row] = await database.query(findExistence);
  return { hasEntries: row?.has_entries ?? false, hasAccounts: row?.has_accounts ?? false };
}
