/** SQL on the ratings of users, always within one merchant; and on how far the job has come. */
import { type MerchantId, merchantId, type OperatorId, operatorId, type UserId, userId } from '../ids.js';
import { clientIdsOf } from '../merchants/service.js';
import type { Account } from '../persons/service.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../tasks/task.js';
import type { RiskBand } from './rating.js';
import type { RiskReview } from './review.js';

interface RatingRow {
  user_id: bigint;
  band: RiskBand;
  rated_band: RiskBand;
  points: number;
  sealed_because: Buffer;
  version: number;
  rated_at: Date;
  checked_at: Date;
  review_by: Date;
  chosen_band: RiskBand | null;
  points_then: number | null;
  reviewed_by: bigint | null;
  reviewed_at: Date | null;
  sealed_note: Buffer | null;
}
const columns =
  `user_id, band, rated_band, points, sealed_because, version, rated_at, checked_at, review_by, chosen_band,
  points_then, reviewed_by, reviewed_at, sealed_note` as const;

const findOne = statement(
  'risk.find',
  `SELECT ${columns} FROM risk_ratings WHERE merchant_id = $merchantId AND user_id = $userId`,
).rows<RatingRow>();
const listBands = statement(
  'risk.list-bands',
  'SELECT user_id, band FROM risk_ratings WHERE merchant_id = $merchantId AND user_id = ANY ($users)',
).rows<{ user_id: bigint; band: RiskBand }>();
const listFresh = statement(
  'risk.list-fresh',
  `SELECT user_id FROM risk_ratings WHERE merchant_id = $merchantId AND user_id = ANY ($users)
      AND checked_at > statement_timestamp() - make_interval(hours => $hours)`,
).rows<{ user_id: bigint }>();
/** Everyone with a level whom nobody has rated, merchant by merchant. */
const listUnratedAfter = statement(
  'risk.list-unrated',
  `SELECT DISTINCT held.merchant_id, held.user_id FROM kyc_cases AS held
    WHERE held.state = 'APPROVED' AND held.closed_at IS NULL
      AND (held.merchant_id, held.user_id) > ($afterMerchant::bigint, $afterUser::bigint)
      AND NOT EXISTS (SELECT FROM risk_ratings AS rated
                       WHERE rated.merchant_id = held.merchant_id AND rated.user_id = held.user_id)
    ORDER BY held.merchant_id, held.user_id LIMIT $limit::int`,
).rows<{ merchant_id: bigint; user_id: bigint }>();
const insertOne = statement(
  'risk.insert',
  `INSERT INTO risk_ratings (merchant_id, user_id, band, rated_band, points, sealed_because, review_by)
   SELECT $merchantId, $userId, $band, $ratedBand, $points, $sealedBecause, clock.at + make_interval(months => $months)
     FROM (SELECT statement_timestamp() AS at) AS clock RETURNING ${columns}`,
).rows<RatingRow>();
/** A higher band brings the review forward, a lower one leaves it where it is. */
const updateRating = statement(
  'risk.update',
  `UPDATE risk_ratings AS rating
      SET band = $band, rated_band = $ratedBand, points = $points, sealed_because = $sealedBecause,
          version = rating.version + 1, rated_at = clock.at, checked_at = clock.at,
          review_by = least(rating.review_by, clock.at + make_interval(months => $months))
     FROM (SELECT statement_timestamp() AS at) AS clock
    WHERE merchant_id = $merchantId AND user_id = $userId AND rating.version = $version RETURNING ${columns}`,
).rows<RatingRow>();
const markChecked = statement(
  'risk.mark-checked',
  `UPDATE risk_ratings SET checked_at = statement_timestamp(), sealed_because = $sealedBecause
    WHERE merchant_id = $merchantId AND user_id = $userId`,
);
const updateReview = statement(
  'risk.review',
  `UPDATE risk_ratings AS rating
      SET band = $band, chosen_band = $chosenBand, points_then = rating.points, reviewed_by = $reviewedBy,
          reviewed_at = clock.at, sealed_note = $sealedNote, version = rating.version + 1,
          review_by = clock.at + make_interval(months => $months)
     FROM (SELECT statement_timestamp() AS at) AS clock
    WHERE merchant_id = $merchantId AND user_id = $userId AND rating.version = $version RETURNING ${columns}`,
).rows<RatingRow>();
const deleteOfUser = statement(
  'risk.delete-of-user',
  'DELETE FROM risk_ratings WHERE merchant_id = $merchantId AND user_id = $userId',
);
const listTasks = statement(
  'risk.list-tasks',
  `SELECT merchant_id, user_id, band, (extract(epoch FROM review_by) * 1000000)::bigint::text AS at_micros
     FROM risk_ratings
    WHERE review_by <= statement_timestamp()
      AND (review_by, user_id::text) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR user_id::text = $only)
    ORDER BY review_by, user_id::text LIMIT $limit`,
).rows<{ merchant_id: bigint; user_id: bigint; band: RiskBand; at_micros: string }>();
const claimSweep = statement(
  'risk.claim-sweep',
  `UPDATE risk_sweep SET claim = $claim, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE leased_until IS NULL OR leased_until <= statement_timestamp() RETURNING after_merchant, after_user`,
).rows<{ after_merchant: bigint; after_user: bigint }>();
const saveSweep = statement(
  'risk.save-sweep',
  'UPDATE risk_sweep SET after_merchant = $afterMerchant, after_user = $afterUser WHERE claim = $claim RETURNING claim',
).rows<{ claim: string }>();
const releaseSweep = statement('risk.release-sweep', 'UPDATE risk_sweep SET leased_until = NULL WHERE claim = $claim');

export interface StoredRating {
  readonly band: RiskBand;
  readonly ratedBand: RiskBand;
  readonly points: number;
  readonly sealedBecause: Buffer;
  readonly version: number;
  readonly ratedAt: Date;
  readonly checkedAt: Date;
  readonly reviewBy: Date;
  readonly review: (RiskReview & { readonly sealedNote: Buffer }) | undefined;
}

export interface NewRating {
  readonly band: RiskBand;
  readonly ratedBand: RiskBand;
  readonly points: number;
  readonly sealedBecause: Buffer;
  /** Until the next review. */
  readonly months: number;
}

export async function findRating(database: Queryable, account: Account): Promise<StoredRating | undefined> {
  const [row] = await database.query(findOne, idsOf(account));
  return row && toRating(row);
}

/** Users that were never rated are left out. */
export async function listBandsOf(
  database: Queryable,
  merchant: MerchantId,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, RiskBand>> {
  const rows = await database.query(listBands, { merchantId: merchant, users });
  return new Map(rows.map((row) => [userId(row.user_id), row.band]));
}

/** Those of the users whose facts were looked at within so many hours. */
export async function listCheckedWithin(
  database: Queryable,
  merchant: MerchantId,
  users: readonly UserId[],
  hours: number,
): Promise<ReadonlySet<UserId>> {
  const rows = await database.query(listFresh, { merchantId: merchant, users, hours });
  return new Set(rows.map((row) => userId(row.user_id)));
}

/** Those who hold a level and were never rated, after this place. */
export async function listUnrated(database: Queryable, after: SweepPlace, limit: number): Promise<Account[]> {
  const values = { afterMerchant: after.merchantId, afterUser: after.userId, limit };
  const rows = await database.query(listUnratedAfter, values);
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

/** The caller has locked the user. */
export async function addRating(tx: Transaction, account: Account, rating: NewRating): Promise<StoredRating> {
  return one(await tx.query(insertOne, { ...idsOf(account), ...rating }));
}

export async function changeRating(
  tx: Transaction,
  account: Account,
  { version }: StoredRating,
  rating: NewRating,
): Promise<StoredRating> {
  return one(await tx.query(updateRating, { ...idsOf(account), ...rating, version }));
}

/** Nothing that was decided about has changed; the facts may have. */
export async function saveChecked(tx: Transaction, account: Account, sealedBecause: Buffer): Promise<void> {
  await tx.query(markChecked, { ...idsOf(account), sealedBecause });
}

export interface NewReview {
  readonly band: RiskBand;
  readonly chosenBand: RiskBand | undefined;
  readonly reviewedBy: OperatorId;
  readonly sealedNote: Buffer;
  readonly months: number;
}

export async function saveReview(
  tx: Transaction,
  account: Account,
  { version }: StoredRating,
  { chosenBand, ...review }: NewReview,
): Promise<StoredRating> {
  return one(await tx.query(updateReview, { ...idsOf(account), ...review, chosenBand: chosenBand ?? null, version }));
}

export async function deleteRating(tx: Transaction, account: Account): Promise<void> {
  await tx.query(deleteOfUser, idsOf(account));
}

export async function listRiskTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  const clientIds = await clientIdsOf(
    database,
    rows.map((row) => merchantId(row.merchant_id)),
  );
  return rows.map((row) => ({
    id: String(row.user_id),
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary: `Look again at a customer whose risk is ${row.band}, and confirm or change it.`,
    path: `/operator/users/${row.user_id}/risk?merchant=${clientIds.get(merchantId(row.merchant_id))}`,
    userId: userId(row.user_id),
  }));
}

/** Where the sweep over all customers goes on. */
export interface SweepPlace {
  readonly merchantId: bigint;
  readonly userId: bigint;
}

/** Undefined while another worker has it. */
export async function claimSweepPlace(
  tx: Transaction,
  claim: string,
  leaseSeconds: number,
): Promise<SweepPlace | undefined> {
  const [row] = await tx.query(claimSweep, { claim, leaseSeconds });
  return row && { merchantId: row.after_merchant, userId: row.after_user };
}

/** Returns false when another worker has taken over. */
export async function saveSweepPlace(tx: Transaction, claim: string, place: SweepPlace): Promise<boolean> {
  const values = { claim, afterMerchant: place.merchantId, afterUser: place.userId };
  return (await tx.query(saveSweep, values)).length > 0;
}

export async function releaseSweepPlace(tx: Transaction, claim: string): Promise<void> {
  await tx.query(releaseSweep, { claim });
}

function idsOf({ merchantId: merchant, userId: user }: Account) {
  return { merchantId: merchant, userId: user };
}

function one(rows: readonly RatingRow[]): StoredRating {
  const [row] = rows;
  if (!row) throw new Error('the rating was changed under the lock of its user');
  return toRating(row);
}

function toRating(row: RatingRow): StoredRating {
  const { chosen_band, points_then, reviewed_by, reviewed_at, sealed_note } = row;
  const isReviewed = points_then !== null && reviewed_by !== null && reviewed_at !== null && sealed_note !== null;
  return {
    band: row.band,
    ratedBand: row.rated_band,
    points: row.points,
    sealedBecause: row.sealed_because,
    version: row.version,
    ratedAt: row.rated_at,
    checkedAt: row.checked_at,
    reviewBy: row.review_by,
    review: isReviewed
      ? {
          band: chosen_band ?? undefined,
          points: points_then,
          by: operatorId(reviewed_by),
          at: reviewed_at,
          sealedNote: sealed_note,
        }
      : undefined,
  };
}
