/** SQL on the block list. Every machine of a cluster has these tables in full. */
import { merchantId, type OperatorId, operatorId, storedPublicId, userId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Mark } from '../service.js';
import type { Account } from '../store.js';
import type { Block, BlockId, BlockKind, BlockState, BlockRow as StoredRow } from './block.js';

interface BlockRow {
  block_id: string;
  kind: BlockKind;
  of_merchant: bigint | null;
  of_user: bigint | null;
  sealed_details: Buffer;
  state: BlockState;
  version: number;
  blocked_at: Date;
  blocked_by: bigint;
  lifted_at: Date | null;
  marks: string[];
}
const columns = `block_id, kind, of_merchant, of_user, sealed_details, state, version, blocked_at, blocked_by, lifted_at,
          ARRAY(SELECT encode(mark.digest, 'hex') || ' ' || mark.is_verified::text FROM block_marks AS mark
                 WHERE mark.block_id = blocks.block_id ORDER BY 1) AS marks`;

const insertBlock = statement(
  'blocks.insert',
  `INSERT INTO blocks (block_id, kind, of_merchant, of_user, sealed_details, blocked_by)
   VALUES ($blockId, $kind, $ofMerchant, $ofUser, $sealedDetails, $blockedBy)`,
);
const insertMarks = statement(
  'blocks.insert-marks',
  `INSERT INTO block_marks (block_id, digest, is_verified)
   SELECT $blockId, digest, bool_or(is_verified) FROM unnest($digests::bytea[], $verified::boolean[]) AS t (digest, is_verified)
    GROUP BY digest`,
);
const findOne = statement('blocks.find', `SELECT ${columns} FROM blocks WHERE block_id = $blockId`).rows<BlockRow>();
const listByIds = statement(
  'blocks.list-by-ids',
  `SELECT ${columns} FROM blocks WHERE block_id = ANY ($blockIds::text[]) ORDER BY block_id`,
).rows<BlockRow>();
const listIds = statement(
  'blocks.list-ids',
  'SELECT block_id FROM blocks WHERE block_id > $after ORDER BY block_id LIMIT $limit',
).rows<{ block_id: string }>();
const lockOne = statement(
  'blocks.lock',
  `SELECT ${columns} FROM blocks WHERE block_id = $blockId FOR UPDATE`,
).rows<BlockRow>();
const liftOne = statement(
  'blocks.lift',
  `UPDATE blocks SET state = 'lifted', lifted_at = statement_timestamp(), version = version + 1,
          sealed_details = $sealedDetails
    WHERE block_id = $blockId AND state = 'active' RETURNING block_id`,
).rows<object>();
const listPage = statement(
  'blocks.list',
  `SELECT ${columns} FROM blocks WHERE state = ANY ($states::text[]) AND block_id > $after
    ORDER BY block_id LIMIT $limit::int`,
).rows<BlockRow>();
const listToApply = statement(
  'blocks.list-to-apply',
  `SELECT ${columns} FROM blocks
    WHERE applied_at IS NULL AND state = 'active' AND NOT block_id = ANY ($passedOver::text[])
    ORDER BY blocked_at LIMIT 100`,
).rows<BlockRow>();
const markApplied = statement(
  'blocks.mark-applied',
  'UPDATE blocks SET applied_at = statement_timestamp() WHERE block_id = $blockId AND applied_at IS NULL',
);
const listMarked = statement(
  'blocks.list-marked',
  `SELECT DISTINCT known.merchant_id, known.user_id
     FROM block_marks AS mark JOIN person_identifiers AS known ON known.digest = mark.digest
    WHERE mark.block_id = $blockId AND mark.is_verified AND known.source = 'verified'
      AND known.kind <> 'name_and_birth_date' ORDER BY 1, 2 LIMIT 500`,
).rows<{ merchant_id: bigint; user_id: bigint }>();
/** Also lifted ones: whether they are lifted is read with the whole row. */
const findMarked = statement(
  'blocks.find-marked',
  `SELECT asked.subject, mark.block_id, mark.is_verified
     FROM unnest($subjects::int[], $digests::bytea[]) AS asked (subject, digest)
     JOIN block_marks AS mark ON mark.digest = asked.digest
   UNION
   SELECT asked.subject, mark.block_id,
          block.kind <> 'person' OR (mark.is_verified AND known.source = 'verified' AND known.kind <> 'name_and_birth_date')
            AS is_verified
     FROM unnest($userSubjects::int[], $merchantIds::bigint[], $userIds::bigint[])
            AS asked (subject, merchant_id, user_id)
     JOIN person_identifiers AS known ON known.merchant_id = asked.merchant_id AND known.user_id = asked.user_id
     JOIN block_marks AS mark ON mark.digest = known.digest
     JOIN blocks AS block ON block.block_id = mark.block_id
    ORDER BY 1, 2`,
).rows<{ subject: number; block_id: string; is_verified: boolean }>();

export type StoredBlock = StoredRow;

export interface NewBlock {
  readonly blockId: BlockId;
  readonly kind: BlockKind;
  readonly user: Account | undefined;
  readonly sealedDetails: Buffer;
  readonly blockedBy: OperatorId;
  readonly marks: readonly Mark[];
}

export async function addBlock(tx: Transaction, block: NewBlock): Promise<StoredBlock> {
  const { blockId, kind, user, sealedDetails, blockedBy, marks } = block;
  const ofUser = { ofMerchant: user?.merchantId ?? null, ofUser: user?.userId ?? null };
  await tx.query(insertBlock, { blockId, kind, sealedDetails, blockedBy, ...ofUser });
  await tx.query(insertMarks, {
    blockId,
    digests: marks.map(({ digest }) => digest),
    verified: marks.map(({ isVerified }) => isVerified),
  });
  const added = await findBlock(tx, blockId);
  if (!added) throw new Error('the block was not added');
  return added;
}

export async function listBlocksByIds(database: Queryable, blockIds: readonly BlockId[]): Promise<StoredBlock[]> {
  return (await database.query(listByIds, { blockIds })).map(toBlock);
}

export async function listBlockIdsAfter(database: Queryable, after: string, limit: number): Promise<BlockId[]> {
  return (await database.query(listIds, { after, limit })).map((row) => storedPublicId('blk', row.block_id));
}

export async function findBlock(database: Queryable, blockId: BlockId): Promise<StoredBlock | undefined> {
  const [row] = await database.query(findOne, { blockId });
  return row && toBlock(row);
}

export async function lockBlock(tx: Transaction, blockId: BlockId): Promise<StoredBlock | undefined> {
  const [row] = await tx.query(lockOne, { blockId });
  return row && toBlock(row);
}

/** Undefined when it was lifted already. */
export async function liftBlock(
  tx: Transaction,
  { blockId }: Block,
  sealedDetails: Buffer,
): Promise<StoredBlock | undefined> {
  const lifted = await tx.query(liftOne, { blockId, sealedDetails });
  return lifted.length === 0 ? undefined : findBlock(tx, blockId);
}

export async function listBlocks(
  database: Queryable,
  states: readonly BlockState[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<StoredBlock[]> {
  return (await database.query(listPage, { states, after, limit })).map(toBlock);
}

export async function listBlocksToApply(database: Queryable, passedOver: readonly Block[]): Promise<StoredBlock[]> {
  const rows = await database.query(listToApply, { passedOver: passedOver.map(({ blockId }) => blockId) });
  return rows.map(toBlock);
}

export async function saveApplied(database: Queryable, { blockId }: Block): Promise<void> {
  await database.query(markApplied, { blockId });
}

/** The users of whom an approved form says what the block names. */
export async function listAccountsMarked(database: Queryable, { blockId }: Block): Promise<Account[]> {
  const rows = await database.query(listMarked, { blockId });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

/** The users and values of one subject, such as an order. */
export interface Marked {
  readonly users: readonly Account[];
  readonly digests: readonly Buffer[];
}

/** A block that concerns somebody. */
export interface FoundBlock {
  readonly blockId: BlockId;
  /** False when the blocked person, or this one, only claims what the two have in common. */
  readonly isVerified: boolean;
}

/** The blocks that concern each of these, lifted or not, in one statement. */
export async function findMarkedBlocks(database: Queryable, subjects: readonly Marked[]): Promise<FoundBlock[][]> {
  const values = subjects.flatMap(({ digests }, subject) => digests.map((digest) => ({ subject, digest })));
  const users = subjects.flatMap((marked, subject) => marked.users.map((user) => ({ subject, user })));
  const rows = await database.query(findMarked, {
    subjects: values.map(({ subject }) => subject),
    digests: values.map(({ digest }) => digest),
    userSubjects: users.map(({ subject }) => subject),
    merchantIds: users.map(({ user }) => user.merchantId),
    userIds: users.map(({ user }) => user.userId),
  });
  return subjects.map((_marked, index) => {
    const ofSubject = rows.filter(({ subject }) => subject === index);
    return [...new Set(ofSubject.map((row) => row.block_id))].map((id) => ({
      blockId: storedPublicId('blk', id),
      isVerified: ofSubject.some((row) => row.block_id === id && row.is_verified),
    }));
  });
}

function toBlock(row: BlockRow): StoredBlock {
  return {
    blockId: storedPublicId('blk', row.block_id),
    kind: row.kind,
    user:
      row.of_merchant === null || row.of_user === null
        ? undefined
        : { merchantId: merchantId(row.of_merchant), userId: userId(row.of_user) },
    state: row.state,
    version: row.version,
    blockedAt: row.blocked_at,
    blockedBy: operatorId(row.blocked_by),
    liftedAt: row.lifted_at ?? undefined,
    sealedDetails: row.sealed_details,
    marks: row.marks,
  };
}
