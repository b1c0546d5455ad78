/** SQL that extends the chains, merchant by merchant, and reads them for the verification. */
import { type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { type ChainEnd, type ChainedEntry, type EntryContent, emptyChain, type Link } from './chain.js';

interface ChainedRow {
  merchant_id: bigint;
  sequence: bigint;
  previous_hash: Buffer;
  hash: Buffer;
  content: EntryContent;
}

/** An entry of a merchant's chain. */
export interface MerchantEntry extends ChainedEntry {
  readonly merchantId: TenantId;
}

/** The columns that the hash covers. */
const contentColumns = `ARRAY[id::text, merchant_id::text, actor_kind, actor_id, action, subject,
  from_state, to_state, details::text, request_id,
  to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')]`;

const lockChain = statement(
  'audit.lock-chain',
  'SELECT sequence, hash FROM audit_chains WHERE merchant_id = $merchantId FOR UPDATE SKIP LOCKED',
).rows<ChainEnd>();
const startChain = statement(
  'audit.start-chain',
  `INSERT INTO audit_chains (merchant_id, sequence, hash, signed_sequence) VALUES ($merchantId, 0, $hash, 0)
   ON CONFLICT (merchant_id) DO NOTHING RETURNING sequence, hash`,
).rows<ChainEnd>();
const listUnchained = statement(
  'audit.list-unchained',
  `SELECT id, ${contentColumns} AS content FROM audit_entries
    WHERE merchant_id = $merchantId AND sequence = 0 ORDER BY id LIMIT $limit`,
).rows<{ id: bigint; content: EntryContent }>();
const chainEntries = statement(
  'audit.chain-entries',
  `UPDATE audit_entries AS entry
      SET sequence = link.sequence, previous_hash = link.previous_hash, hash = link.hash
     FROM unnest($ids::bigint[], $sequences::bigint[], $previousHashes::bytea[],
       $hashes::bytea[]) AS link (id, sequence, previous_hash, hash)
    WHERE entry.merchant_id = $merchantId AND entry.id = link.id`,
);
const moveEnd = statement(
  'audit.move-end',
  'UPDATE audit_chains SET sequence = $sequence, hash = $hash WHERE merchant_id = $merchantId',
);
const columns = `merchant_id, sequence, previous_hash, hash, ${contentColumns} AS content`;

const listChained = statement(
  'chain-store.list-chained',
  `SELECT ${columns} FROM audit_entries
    WHERE (merchant_id, sequence) > ($afterMerchant, $sequence) AND sequence > 0
    ORDER BY merchant_id, sequence LIMIT $pageSize`,
).rows<ChainedRow>();
const findExistence = statement(
  'chain-store.find-traces',
  `SELECT EXISTS (SELECT 1 FROM audit_entries) AS has_entries,
          EXISTS (SELECT 1 FROM merchants) OR EXISTS (SELECT 1 FROM operators) AS has_accounts`,
).rows<{ has_entries: boolean; has_accounts: boolean }>();

/** Locks the chain and returns its end. Returns undefined when another worker has it, or when it does not exist. */
export async function lockChainEnd(tx: Transaction, merchantId: TenantId): Promise<ChainEnd | undefined> {
  return (await tx.query(lockChain, { merchantId }))[0];
}

/** Starts and locks the chain. Returns undefined when another worker has just started it. */
export async function addChain(tx: Transaction, merchantId: TenantId): Promise<ChainEnd | undefined> {
  return (await tx.query(startChain, { merchantId, hash: emptyChain.hash }))[0];
}

export function listUnchainedEntries(
  tx: Transaction,
  merchantId: TenantId,
  limit: number,
): Promise<{ id: bigint; content: EntryContent }[]> {
  return tx.query(listUnchained, { merchantId, limit });
}

/** Writes the links to their entries, and the last one as the end of the chain. */
export async function saveLinks(tx: Transaction, merchantId: TenantId, links: readonly Link[]): Promise<void> {
  const end = links.at(-1);
  if (!end) return;
  await tx.query(chainEntries, {
    merchantId,
    ids: links.map((link) => link.id),
    sequences: links.map((link) => link.sequence),
    previousHashes: links.map((link) => link.previousHash),
    hashes: links.map((link) => link.hash),
  });
  await tx.query(moveEnd, { merchantId, sequence: end.sequence, hash: end.hash });
}

/** Pages through the chains of all merchants, one merchant after the other. */
export async function* chainedEntries(database: Queryable, pageSize: number): AsyncGenerator<MerchantEntry> {
  let last: { merchantId: number; sequence: bigint } = { merchantId: -1, sequence: 0n };
  for (;;) {
    const rows = await database.query(listChained, {
      afterMerchant: last.merchantId,
      sequence: last.sequence,
      pageSize,
    });
    const page = rows.map((row) => ({ ...toEntry(row), merchantId: tenantId(row.merchant_id) }));
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

/** Whether the log has entries, chained or not, and whether accounts exist whose creation it must contain. */
export async function findLogExistence(database: Queryable): Promise<{ hasEntries: boolean; hasAccounts: boolean }> {
  const [row] = await database.query(findExistence);
  return { hasEntries: row?.has_entries ?? false, hasAccounts: row?.has_accounts ?? false };
}

function toEntry({ sequence, previous_hash, hash, content }: ChainedRow): ChainedEntry {
  return { sequence, previousHash: previous_hash, hash, content };
}
