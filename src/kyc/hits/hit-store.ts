/** SQL on hits. What a hit is about is written once; its decision too. */
import { type MerchantId, merchantId, operatorId, storedPublicId, type UserId, userId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Hit, HitId, HitKind, HitState } from './hit.js';

interface HitRow {
  merchant_id: bigint;
  hit_id: string;
  user_id: bigint;
  kind: HitKind;
  list: string;
  list_version: string;
  entry_id: string;
  entry_hash: string;
  person_hash: Buffer;
  score: number;
  is_strong: boolean;
  state: HitState;
  found_at: Date;
  decided_at: Date | null;
  decided_by: bigint | null;
}
interface SealedRow extends HitRow {
  sealed_explanation: Buffer;
  sealed_note: Buffer | null;
}
type PageRow = HitRow & { at_micros: string };

const columns = `merchant_id, hit_id, user_id, kind, list, list_version, entry_id, entry_hash, person_hash, score, is_strong,
  state, found_at, decided_at, decided_by`;

const insertHit = statement(
  'hit-store.insert',
  `INSERT INTO screening_hits (merchant_id, hit_id, user_id, kind, list, list_version, entry_id, entry_hash, person_hash,
                               score, is_strong, sealed_explanation)
   VALUES ($merchantId, $hitId, $userId, $kind, $list, $listVersion, $entryId, $entryHash, $personHash, $score,
     $isStrong, $sealedExplanation) RETURNING ${columns}`,
).rows<HitRow>();
const updateOpen = statement(
  'hit-store.refresh',
  `UPDATE screening_hits SET list_version = $listVersion, entry_hash = $entryHash, person_hash = $personHash,
     score = $score, is_strong = $isStrong,
          sealed_explanation = $sealedExplanation
    WHERE merchant_id = $merchantId AND hit_id = $hitId AND state = 'open' RETURNING ${columns}`,
).rows<HitRow>();
const listOfUser = statement(
  'hit-store.list-of-user',
  `SELECT ${columns} FROM screening_hits WHERE merchant_id = $merchantId AND user_id = $userId
    ORDER BY found_at, hit_id`,
).rows<HitRow>();
const listOfUsers = statement(
  'hit-store.list-of-users',
  `SELECT ${columns} FROM screening_hits
     WHERE merchant_id = $merchantId AND user_id = ANY ($users)
    ORDER BY found_at, hit_id`,
).rows<HitRow>();
const lockOfUser = statement(
  'hit-store.lock-of-user',
  `SELECT ${columns} FROM screening_hits WHERE merchant_id = $merchantId AND user_id = $userId
    ORDER BY found_at, hit_id FOR UPDATE`,
).rows<HitRow>();
const findHit = statement(
  'hit-store.find',
  `SELECT ${columns}, sealed_explanation, sealed_note FROM screening_hits
     WHERE merchant_id = $merchantId AND hit_id = $hitId`,
).rows<SealedRow>();
const lockHit = statement(
  'hit-store.lock',
  `SELECT ${columns} FROM screening_hits WHERE merchant_id = $merchantId AND hit_id = $hitId FOR UPDATE`,
).rows<HitRow>();
const decideHit = statement(
  'hit-store.decide',
  `UPDATE screening_hits SET state = $state, decided_by = $decidedBy, sealed_note = $sealedNote,
     decided_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND hit_id = $hitId AND state = 'open'
      RETURNING ${columns}`,
).rows<HitRow>();
const deleteOfUser = statement(
  'hit-store.delete-of-user',
  'DELETE FROM screening_hits WHERE merchant_id = $merchantId AND user_id = $userId',
);
const pageOfState = statement(
  'hit-store.page-of-state',
  `SELECT ${columns}, (extract(epoch FROM found_at) * 1000000)::bigint::text AS at_micros FROM screening_hits
    WHERE state = $state
      AND (found_at, hit_id) > (to_timestamp(0) + $atMicros::bigint * interval '1 microsecond', $afterId)
      AND ($merchantId::bigint IS NULL OR merchant_id = $merchantId) AND ($ofUser::bigint IS NULL
        OR user_id = $ofUser)
    ORDER BY found_at, hit_id LIMIT $limit`,
).rows<PageRow>();

export interface NewHit
  extends Pick<Hit, 'merchantId' | 'hitId' | 'userId' | 'kind' | 'list' | 'entryId' | keyof HitContent> {
  readonly sealedExplanation: Buffer;
}
type HitContent = Pick<Hit, 'listVersion' | 'entryHash' | 'personHash' | 'score' | 'isStrong'>;

export async function addHit(tx: Transaction, hit: NewHit): Promise<Hit> {
  const [row] = await tx.query(insertHit, hit);
  if (!row) throw new Error('the database returned no hit');
  return toHit(row);
}

/** Returns undefined when the hit has been decided meanwhile. */
export async function refreshHit(
  tx: Transaction,
  { merchantId: merchant, hitId }: Pick<Hit, 'merchantId' | 'hitId'>,
  content: HitContent & { readonly sealedExplanation: Buffer },
): Promise<Hit | undefined> {
  const { listVersion, entryHash, personHash, score, isStrong, sealedExplanation } = content;
  return optional(
    (
      await tx.query(updateOpen, {
        merchantId: merchant,
        hitId,
        listVersion,
        entryHash,
        personHash,
        score,
        isStrong,
        sealedExplanation,
      })
    )[0],
  );
}

/** The oldest first; also those of a deleted user, as long as the law wants them kept. */
export async function listHitsOfUser(database: Queryable, merchant: MerchantId, user: UserId): Promise<Hit[]> {
  return (await database.query(listOfUser, { merchantId: merchant, userId: user })).map(toHit);
}

/** As `listHitsOfUser`, for several users. */
export async function listHitsOfUsers(
  database: Queryable,
  merchant: MerchantId,
  users: readonly UserId[],
): Promise<Hit[]> {
  return (await database.query(listOfUsers, { merchantId: merchant, users })).map(toHit);
}

/** As `listHitsOfUser`. Nobody can decide them before this transaction ends. */
export async function lockHitsOfUser(tx: Transaction, merchant: MerchantId, user: UserId): Promise<Hit[]> {
  return (await tx.query(lockOfUser, { merchantId: merchant, userId: user })).map(toHit);
}

export interface SealedHit {
  readonly hit: Hit;
  readonly sealedExplanation: Buffer;
  readonly sealedNote: Buffer | undefined;
}

export async function findSealedHit(
  database: Queryable,
  merchant: MerchantId,
  hitId: HitId,
): Promise<SealedHit | undefined> {
  const [row] = await database.query(findHit, { merchantId: merchant, hitId });
  if (!row) return undefined;
  const { sealed_explanation: sealedExplanation, sealed_note: sealedNote } = row;
  return { hit: toHit(row), sealedExplanation, sealedNote: sealedNote ?? undefined };
}

export async function lockHitById(tx: Transaction, merchant: MerchantId, hitId: HitId): Promise<Hit | undefined> {
  return optional((await tx.query(lockHit, { merchantId: merchant, hitId }))[0]);
}

export interface HitDecision {
  readonly state: 'dismissed' | 'confirmed';
  readonly decidedBy: number;
  readonly sealedNote: Buffer;
}

/** Returns undefined when the hit has been decided already. */
export async function saveDecision(
  tx: Transaction,
  { merchantId: merchant, hitId }: Hit,
  { state, decidedBy, sealedNote }: HitDecision,
): Promise<Hit | undefined> {
  return optional((await tx.query(decideHit, { merchantId: merchant, hitId, state, decidedBy, sealedNote }))[0]);
}

export async function deleteHitsOfUser(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteOfUser, { merchantId: merchant, userId: user });
}

/** The last hit of a page: its time to the microsecond, and its id. */
export interface HitPlace {
  readonly atMicros: string;
  readonly id: string;
}

export interface HitFilter {
  readonly state: HitState;
  readonly merchantId?: MerchantId | undefined;
  readonly userId?: number | undefined;
}

export interface PlacedHit {
  readonly hit: Hit;
  readonly place: HitPlace;
}

/** Hits of all merchants, the oldest first. */
export async function listHits(
  database: Queryable,
  { state, merchantId: merchant, userId: user }: HitFilter,
  after: HitPlace | undefined,
  atMost: number,
): Promise<PlacedHit[]> {
  const rows = await database.query(pageOfState, {
    state,
    atMicros: after?.atMicros ?? '0',
    afterId: after?.id ?? '',
    merchantId: merchant ?? null,
    ofUser: user ?? null,
    limit: atMost,
  });
  return rows.map((row) => ({ hit: toHit(row), place: { atMicros: row.at_micros, id: row.hit_id } }));
}

function optional(row: HitRow | undefined): Hit | undefined {
  return row && toHit(row);
}

function toHit(row: HitRow): Hit {
  return {
    merchantId: merchantId(row.merchant_id),
    hitId: storedPublicId('hit', row.hit_id),
    userId: userId(row.user_id),
    kind: row.kind,
    list: row.list,
    listVersion: row.list_version,
    entryId: row.entry_id,
    entryHash: row.entry_hash,
    personHash: row.person_hash,
    score: row.score,
    isStrong: row.is_strong,
    state: row.state,
    foundAt: row.found_at,
    decidedAt: row.decided_at ?? undefined,
    decidedBy: row.decided_by === null ? undefined : operatorId(row.decided_by),
  };
}
