/** SQL on legal holds. Every machine of a cluster has this table in full. */
import { merchantId, type OperatorId, operatorId, type PublicId, storedPublicId, userId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

interface HoldRow {
  hold_id: string;
  of_merchant: bigint;
  of_user: bigint;
  sealed_reason: Buffer;
  placed_by: bigint;
  placed_at: Date;
  released_by: bigint | null;
  released_at: Date | null;
  sealed_note: Buffer | null;
}
const columns =
  'hold_id, of_merchant, of_user, sealed_reason, placed_by, placed_at, released_by, released_at, sealed_note';

const insertHold = statement(
  'holds.insert',
  `INSERT INTO legal_holds (hold_id, of_merchant, of_user, sealed_reason, placed_by)
   VALUES ($holdId, $ofMerchant, $ofUser, $sealedReason, $placedBy) RETURNING ${columns}`,
).rows<HoldRow>();
const lockOne = statement(
  'holds.lock',
  `SELECT ${columns} FROM legal_holds WHERE hold_id = $holdId FOR UPDATE`,
).rows<HoldRow>();
const releaseOne = statement(
  'holds.release',
  `UPDATE legal_holds SET released_by = $releasedBy, released_at = statement_timestamp(), sealed_note = $sealedNote
    WHERE hold_id = $holdId AND released_at IS NULL RETURNING ${columns}`,
).rows<HoldRow>();
const listPage = statement(
  'holds.list',
  `SELECT ${columns} FROM legal_holds
    WHERE hold_id > $after AND ($isActive::boolean IS NULL OR (released_at IS NULL) = $isActive)
    ORDER BY hold_id LIMIT $limit::int`,
).rows<HoldRow>();
/** An open case holds by itself. */
const findHolding = statement(
  'holds.find-holding',
  `SELECT EXISTS (SELECT FROM legal_holds
            WHERE of_merchant = $ofMerchant AND of_user = $ofUser AND released_at IS NULL)
       OR EXISTS (SELECT FROM compliance_case_items AS item
            JOIN compliance_cases AS opened ON opened.case_id = item.case_id AND opened.state <> 'closed'
            WHERE item.kind = 'user' AND item.of_merchant = $ofMerchant AND item.reference = $ofUser::text) AS is_held`,
).rows<{ is_held: boolean }>();

export type HoldId = PublicId<'hld'>;

export interface StoredHold {
  readonly holdId: HoldId;
  readonly user: Account;
  readonly sealedReason: Buffer;
  readonly placedBy: OperatorId;
  readonly placedAt: Date;
  readonly released: { readonly by: OperatorId; readonly at: Date; readonly sealedNote: Buffer } | undefined;
}

export async function addHold(
  tx: Transaction,
  { holdId, user, sealedReason, placedBy }: Omit<StoredHold, 'placedAt' | 'released'>,
): Promise<StoredHold> {
  const values = { holdId, ofMerchant: user.merchantId, ofUser: user.userId, sealedReason, placedBy };
  const [row] = await tx.query(insertHold, values);
  if (!row) throw new Error('the database returned no hold');
  return toHold(row);
}

export async function lockHold(tx: Transaction, holdId: HoldId): Promise<StoredHold | undefined> {
  const [row] = await tx.query(lockOne, { holdId });
  return row && toHold(row);
}

/** Undefined when it was released already. */
export async function releaseHold(
  tx: Transaction,
  holdId: HoldId,
  released: { readonly releasedBy: OperatorId; readonly sealedNote: Buffer },
): Promise<StoredHold | undefined> {
  const [row] = await tx.query(releaseOne, { holdId, ...released });
  return row && toHold(row);
}

export async function listHolds(
  database: Queryable,
  isActive: boolean | undefined,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<StoredHold[]> {
  return (await database.query(listPage, { isActive: isActive ?? null, after, limit })).map(toHold);
}

export async function isHeld(database: Queryable, { merchantId: ofMerchant, userId: ofUser }: Account) {
  return (await database.query(findHolding, { ofMerchant, ofUser }))[0]?.is_held ?? false;
}

function toHold(row: HoldRow): StoredHold {
  const { released_by, released_at, sealed_note } = row;
  return {
    holdId: storedPublicId('hld', row.hold_id),
    user: { merchantId: merchantId(row.of_merchant), userId: userId(row.of_user) },
    sealedReason: row.sealed_reason,
    placedBy: operatorId(row.placed_by),
    placedAt: row.placed_at,
    released:
      released_by === null || !released_at || !sealed_note
        ? undefined
        : { by: operatorId(released_by), at: released_at, sealedNote: sealed_note },
  };
}
