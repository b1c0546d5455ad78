/** SQL that numbers and chains changes, merchant by merchant, and reads the chains for the verification. */
import { type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { type ChainEnd, type ChainState, emptyChain, type Link } from './chain.js';
import { type ChainedLink, type SealedChange, type SealedRow, sealedColumns, toSealedChange } from './sealed-change.js';

const listWaiting = statement(
  'chain-store.list-waiting',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM changes WHERE number IS NULL AND merchant_id > $after
            ORDER BY merchant_id, id LIMIT $limit) AS waiting
    ORDER BY merchant_id`,
).rows<{ merchant_id: bigint }>();
const findOldest = statement(
  'chain-store.find-oldest-unnumbered',
  `SELECT extract(epoch FROM clock_timestamp() - min(recorded_at))::float8 AS seconds
     FROM changes WHERE number IS NULL`,
).rows<{ seconds: number | null }>();
interface StateRow {
  number: bigint;
  hash: Buffer;
  order_sequence: bigint;
  kyc_sequence: bigint;
  due_at: Date;
}
const stateColumns = `number, hash, order_sequence, kyc_sequence, greatest(due_at, statement_timestamp()) AS due_at`;
const claimState = statement(
  'chain-store.claim',
  `SELECT ${stateColumns} FROM change_chains WHERE merchant_id = $merchantId FOR UPDATE SKIP LOCKED`,
).rows<StateRow>();
const insertChain = statement(
  'chain-store.start',
  `INSERT INTO change_chains (merchant_id, hash) VALUES ($merchantId, $hash)
   ON CONFLICT (merchant_id) DO NOTHING RETURNING merchant_id`,
).rows<{ merchant_id: bigint }>();
const waitForChain = statement(
  'chain-store.lock',
  'SELECT number FROM change_chains WHERE merchant_id = $merchantId FOR UPDATE',
);
const listUnnumbered = statement(
  'chain-store.list-unnumbered',
  `SELECT ${sealedColumns} FROM changes
    WHERE merchant_id = $merchantId AND number IS NULL AND id > $after ORDER BY id LIMIT $limit`,
).rows<SealedRow>();
const numberChanges = statement(
  'chain-store.number',
  `UPDATE changes AS change SET number = link.number, hash = link.hash, sequence = link.sequence
     FROM unnest($ids::bigint[], $numbers::bigint[], $hashes::bytea[], $sequences::bigint[])
          AS link (id, number, hash, sequence)
    WHERE change.merchant_id = $merchantId AND change.id = link.id`,
);
const moveEnd = statement(
  'chain-store.move-end',
  `UPDATE change_chains
      SET number = $number, hash = $hash, order_sequence = $orderSequence, kyc_sequence = $kycSequence, due_at = $dueAt
    WHERE merchant_id = $merchantId`,
);
const listChained = statement(
  'chain-store.list-chained',
  `SELECT ${sealedColumns}, number, hash, sequence, object FROM changes
    WHERE (merchant_id, number) > ($afterMerchant, $number) AND number IS NOT NULL
    ORDER BY merchant_id, number LIMIT $pageSize`,
).rows<SealedRow & { number: bigint; hash: Buffer; sequence: bigint | null; object: string | null }>();
const listOfChain = statement(
  'chain-store.list-of-chain',
  `SELECT ${sealedColumns}, number, hash, sequence FROM changes
    WHERE merchant_id = $merchantId AND number > $from AND number <= $to ORDER BY number LIMIT $limit`,
).rows<SealedRow & { number: bigint; hash: Buffer; sequence: bigint | null }>();
const listJournalsToNumber = statement(
  'chain-store.list-journals-to-number',
  `SELECT unnest(journal_ids) AS journal_id FROM changes
    WHERE merchant_id = $merchantId AND number IS NULL AND journal_ids <> '{}'`,
).rows<{ journal_id: bigint }>();
const findEnd = statement(
  'chain-store.find-end',
  'SELECT number, hash FROM change_chains WHERE merchant_id = $merchantId',
).rows<{ number: bigint; hash: Buffer }>();
const sumChains = statement(
  'chain-store.sum-chains',
  `SELECT coalesce(sum(number), 0)::float8 AS entries FROM change_chains
    WHERE $merchantIds::bigint[] IS NULL OR merchant_id = ANY ($merchantIds)`,
).rows<{ entries: number }>();
const listAllUnnumbered = statement(
  'chain-store.list-all-unnumbered',
  `SELECT ${sealedColumns} FROM changes
    WHERE number IS NULL AND (merchant_id, id) > ($afterMerchant, $id) ORDER BY merchant_id, id LIMIT $pageSize`,
).rows<SealedRow>();
const findExistence = statement(
  'chain-store.find-traces',
  `SELECT EXISTS (SELECT 1 FROM changes) AS has_entries,
          EXISTS (SELECT 1 FROM merchants) OR EXISTS (SELECT 1 FROM operators) AS has_accounts`,
).rows<{ has_entries: boolean; has_accounts: boolean }>();

/** Lists merchants with changes to number, in rising order. Reads at most `limit` changes, however many are waiting. */
export async function listWaitingMerchants(database: Queryable, after: number, limit: number): Promise<TenantId[]> {
  return (await database.query(listWaiting, { after, limit })).map((row) => tenantId(row.merchant_id));
}

export async function oldestUnnumberedSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldest))[0]?.seconds ?? 0;
}

export interface ClaimedChain extends ChainState {
  /** When deliveries of the next events are due. Never runs backwards, even if the clock is set back. */
  readonly dueAt: Date;
}

/** Locks the chain. Returns undefined when another worker has it, or has just started it. */
export async function claimChain(tx: Transaction, merchantId: TenantId): Promise<ClaimedChain | undefined> {
  const [row] = await tx.query(claimState, { merchantId });
  return row && toChain(row);
}

/** Starts a chain that does not exist yet, and locks it. Returns undefined when it exists. */
export async function startChain(tx: Transaction, merchantId: TenantId): Promise<ClaimedChain | undefined> {
  const [started] = await tx.query(insertChain, { merchantId, hash: emptyChain.hash });
  return started && claimChain(tx, merchantId);
}

/** Waits for the chain and locks it, whether it exists or not. */
export async function lockChain(tx: Transaction, merchantId: TenantId): Promise<void> {
  await tx.query(insertChain, { merchantId, hash: emptyChain.hash });
  await tx.query(waitForChain, { merchantId });
}

/** The oldest first. `after` is the id of a change. */
export async function listUnnumberedChanges(
  tx: Transaction,
  merchantId: TenantId,
  after: bigint,
  limit: number,
): Promise<SealedChange[]> {
  return (await tx.query(listUnnumbered, { merchantId, after, limit })).map(toSealedChange);
}

/** Numbers the changes, and moves the end of their chain. The statements are sent together. */
export async function saveLinks(
  tx: Transaction,
  merchantId: TenantId,
  links: readonly Link[],
  { number, hash, sequences, dueAt }: ClaimedChain,
): Promise<void> {
  await Promise.all([
    tx.query(numberChanges, {
      merchantId,
      ids: links.map((link) => link.id),
      numbers: links.map((link) => link.number),
      hashes: links.map((link) => link.hash),
      sequences: links.map((link) => link.sequence),
    }),
    tx.query(moveEnd, {
      merchantId,
      number,
      hash,
      orderSequence: sequences.order,
      kycSequence: sequences.kyc,
      dueAt,
    }),
  ]);
}

export interface ChainedChange extends ChainedLink {
  /** Null for a change without an event, and after the retention of its object. */
  readonly object: string | null;
}

/** Pages through the chains of all merchants, one merchant after the other. */
export async function* chainedChanges(database: Queryable, pageSize: number): AsyncGenerator<ChainedChange> {
  let last: { merchantId: number; number: bigint } = { merchantId: -1, number: 0n };
  for (;;) {
    const values = { afterMerchant: last.merchantId, number: last.number, pageSize };
    const page = (await database.query(listChained, values)).map((row) => ({
      ...toSealedChange(row),
      number: row.number,
      hash: row.hash,
      sequence: row.sequence,
      object: row.object,
    }));
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

/** The changes of one merchant after `from` up to `to`, in the order of their numbers. */
export async function listChainedOf(
  database: Queryable,
  merchantId: TenantId,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  limit: number,
): Promise<ChainedLink[]> {
  const rows = await database.query(listOfChain, { merchantId, from, to, limit });
  return rows.map((row) => ({ ...toSealedChange(row), number: row.number, hash: row.hash, sequence: row.sequence }));
}

/** The journals of changes that have no number yet. */
export async function listUnnumberedJournalIds(
  database: Queryable,
  merchantId: TenantId,
): Promise<ReadonlySet<bigint>> {
  const rows = await database.query(listJournalsToNumber, { merchantId });
  return new Set(rows.map((row) => row.journal_id));
}

/** Where the chain of the merchant ends. */
export async function findChainEnd(database: Queryable, merchantId: TenantId): Promise<ChainEnd> {
  return (await database.query(findEnd, { merchantId }))[0] ?? emptyChain;
}

/** How many entries the chains of these merchants have; undefined: of all. */
export async function countChained(database: Queryable, merchants?: readonly TenantId[]): Promise<number> {
  return (await database.query(sumChains, { merchantIds: merchants ?? null }))[0]?.entries ?? 0;
}

/** Pages through the changes of all merchants that have no number. */
export async function* unnumberedChanges(database: Queryable, pageSize: number): AsyncGenerator<SealedChange> {
  let last: { merchantId: number; id: bigint } = { merchantId: -1, id: 0n };
  for (;;) {
    const values = { afterMerchant: last.merchantId, id: last.id, pageSize };
    const page = (await database.query(listAllUnnumbered, values)).map(toSealedChange);
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

/** Whether the log has changes, chained or not, and whether accounts exist whose creation it must contain. */
export async function findLogExistence(database: Queryable): Promise<{ hasEntries: boolean; hasAccounts: boolean }> {
  const [row] = await database.query(findExistence);
  return { hasEntries: row?.has_entries ?? false, hasAccounts: row?.has_accounts ?? false };
}

function toChain(row: StateRow): ClaimedChain {
  const sequences = { order: row.order_sequence, kyc: row.kyc_sequence };
  return { number: row.number, hash: row.hash, sequences, dueAt: row.due_at };
}
