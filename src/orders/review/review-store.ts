/** SQL on reviews of orders and on the notes of operators, always within one merchant. */
import { type MerchantId, type OperatorId, operatorId, storedPublicId, type UserId } from '../../ids.js';
import type { HitId } from '../../kyc/hits/hit.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ReviewReason } from '../order/gate.js';
import type { OrderId, OrderRef } from '../order/order.js';
import type { OrderEvent } from '../order/order-events.js';
import type { DecidedReview, RefusalReason, Review } from '../order/review.js';
import type { OrderState } from '../order/transitions.js';

export interface ReviewRow {
  version: number;
  reasons: ReviewReason[];
  opened_at: Date;
  decision: Review['decision'] | null;
  decided_by: bigint | null;
  decided_at: Date | null;
}
interface SealedRow extends ReviewRow {
  sealed_findings: Buffer;
}
const columns = 'version, reasons, opened_at, decision, decided_by, decided_at';

const insertReview = statement(
  'review-store.insert',
  `INSERT INTO order_reviews (merchant_id, order_id, version, reasons, sealed_findings)
     VALUES ($merchantId, $orderId, $version, $reasons, $sealedFindings)`,
);
const findNewest = statement(
  'review-store.find-newest',
  `SELECT ${columns}, sealed_findings FROM order_reviews WHERE merchant_id = $merchantId AND order_id = $orderId
    ORDER BY version DESC LIMIT 1`,
).rows<SealedRow>();
const listAll = statement(
  'review-store.list',
  `SELECT ${columns} FROM order_reviews WHERE merchant_id = $merchantId AND order_id = $orderId ORDER BY version`,
).rows<ReviewRow>();
const listDecided = statement(
  'review-store.list-decided',
  `SELECT version, decision, despite_hits, sealed_findings FROM order_reviews
    WHERE merchant_id = $merchantId AND order_id = $orderId AND decision IS NOT NULL`,
).rows<{ version: number; decision: 'approved' | 'refused'; despite_hits: string[]; sealed_findings: Buffer }>();
const updateDecision = statement(
  'review-store.decide',
  `UPDATE order_reviews SET decision = $decision, decision_reason = $decisionReason, decided_by = $decidedBy,
     despite_hits = $despiteHits, decided_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND order_id = $orderId AND version = $version AND decision IS NULL`,
);
const listOfUser = statement(
  'review-store.list-orders-of-user',
  `SELECT order_id, state FROM orders WHERE merchant_id = $merchantId AND user_id = $userId ORDER BY order_id`,
).rows<{ order_id: string; state: OrderState }>();
const insertNote = statement(
  'review-store.insert-note',
  `INSERT INTO order_notes (merchant_id, order_id, version, event, operator_id, sealed_note)
   VALUES ($merchantId, $orderId, $version, $event, $operatorId, $sealedNote)`,
);
const findFreeze = statement(
  'review-store.find-freeze',
  `SELECT EXISTS (SELECT FROM order_notes WHERE merchant_id = $merchantId AND order_id = $orderId
     AND event = 'freeze' AND version >= $version) AS was_frozen`,
).rows<{ was_frozen: boolean }>();
const listNotes = statement(
  'review-store.list-notes',
  `SELECT version, event, operator_id, sealed_note, written_at FROM order_notes
    WHERE merchant_id = $merchantId AND order_id = $orderId ORDER BY version`,
).rows<{
  version: number;
  event: OrderEvent;
  operator_id: bigint;
  sealed_note: Buffer;
  written_at: Date;
}>();

export interface SealedReview {
  readonly review: Review;
  readonly sealedFindings: Buffer;
}

export async function addReview(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  review: {
    readonly version: number;
    readonly reasons: readonly ReviewReason[];
    readonly sealedFindings: Buffer;
  },
): Promise<void> {
  const { version, reasons, sealedFindings } = review;
  await tx.query(insertReview, { merchantId, orderId, version, reasons, sealedFindings });
}

/** The review under way, or the last one. */
export async function findNewestReview(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<SealedReview | undefined> {
  const [row] = await database.query(findNewest, { merchantId, orderId });
  return row && { review: toReview(row), sealedFindings: row.sealed_findings };
}

/** The oldest first. */
export async function listReviewsOf(database: Queryable, { merchantId, orderId }: OrderRef): Promise<Review[]> {
  return (await database.query(listAll, { merchantId, orderId })).map(toReview);
}

export interface SealedDecided extends Omit<DecidedReview, 'findings'> {
  readonly version: number;
  readonly sealedFindings: Buffer;
}

export async function listDecidedReviews(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<SealedDecided[]> {
  const rows = await database.query(listDecided, { merchantId, orderId });
  return rows.map((row) => ({
    version: row.version,
    decision: row.decision,
    despiteHits: row.despite_hits.map((hitId) => storedPublicId('hit', hitId)),
    sealedFindings: row.sealed_findings,
  }));
}

export interface ReviewDecision {
  readonly decision: 'approved' | 'refused';
  readonly reason: RefusalReason | undefined;
  readonly decidedBy: OperatorId;
  /** Confirmed hits of the sender in spite of which the money goes back. */
  readonly despiteHits: readonly HitId[];
}

export async function saveDecision(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  { version }: Review,
  { decision, reason, decidedBy, despiteHits }: ReviewDecision,
): Promise<void> {
  await tx.query(updateDecision, {
    merchantId,
    orderId,
    version,
    decision,
    decisionReason: reason ?? null,
    decidedBy,
    despiteHits,
  });
}

/** All of them, in the order in which whoever locks several locks them. */
export async function listOrdersOfUser(
  database: Queryable,
  merchantId: MerchantId,
  userId: UserId,
): Promise<{ readonly orderId: OrderId; readonly state: OrderState }[]> {
  const rows = await database.query(listOfUser, { merchantId, userId });
  return rows.map((row) => ({ orderId: storedPublicId('ord', row.order_id), state: row.state }));
}

export interface NewNote {
  /** The version of the order after the action. */
  readonly version: number;
  readonly event: OrderEvent;
  readonly operatorId: OperatorId;
  readonly sealedNote: Buffer;
}

export async function addNote(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  { version, event, operatorId: operator, sealedNote }: NewNote,
): Promise<void> {
  await tx.query(insertNote, { merchantId, orderId, version, event, operatorId: operator, sealedNote });
}

/** Whether the order was frozen when this review began, or since. */
export async function wasFrozen(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
  { version }: Pick<Review, 'version'>,
): Promise<boolean> {
  return (await database.query(findFreeze, { merchantId, orderId, version }))[0]?.was_frozen ?? false;
}

/** The oldest first. */
export async function listNotesOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<(NewNote & { readonly writtenAt: Date })[]> {
  return (await database.query(listNotes, { merchantId, orderId })).map((row) => ({
    version: row.version,
    event: row.event,
    operatorId: operatorId(row.operator_id),
    sealedNote: row.sealed_note,
    writtenAt: row.written_at,
  }));
}

function toReview(row: ReviewRow): Review {
  return {
    version: row.version,
    reasons: row.reasons,
    openedAt: row.opened_at,
    decision: row.decision ?? undefined,
    decidedBy: row.decided_by === null ? undefined : operatorId(row.decided_by),
    decidedAt: row.decided_at ?? undefined,
  };
}
