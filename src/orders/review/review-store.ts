/** SQL on reviews of orders and on the notes of operators, always within one merchant. */
import { type OperatorId, operatorId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ReviewReason } from '../order/gate.js';
import type { OrderRef } from '../order/order.js';
import type { OrderEvent } from '../order/order-events.js';
import type { RefusalReason, Review } from '../order/review.js';

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
const listApproved = statement(
  'review-store.list-approved',
  `SELECT version, sealed_findings FROM order_reviews
    WHERE merchant_id = $merchantId AND order_id = $orderId AND decision = 'approved'`,
).rows<{ version: number; sealed_findings: Buffer }>();
const updateDecision = statement(
  'review-store.decide',
  `UPDATE order_reviews SET decision = $decision, decision_reason = $decisionReason, decided_by = $decidedBy,
     decided_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND order_id = $orderId AND version = $version AND decision IS NULL`,
);
const insertNote = statement(
  'review-store.insert-note',
  `INSERT INTO order_notes (merchant_id, order_id, version, event, operator_id, sealed_note)
   VALUES ($merchantId, $orderId, $version, $event, $operatorId, $sealedNote)`,
);
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

export async function listApprovedReviews(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<{ version: number; sealedFindings: Buffer }[]> {
  const rows = await database.query(listApproved, { merchantId, orderId });
  return rows.map((row) => ({ version: row.version, sealedFindings: row.sealed_findings }));
}

export interface ReviewDecision {
  readonly decision: 'approved' | 'refused';
  readonly reason: RefusalReason | undefined;
  readonly decidedBy: OperatorId;
}

export async function saveDecision(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  { version }: Review,
  { decision, reason, decidedBy }: ReviewDecision,
): Promise<void> {
  await tx.query(updateDecision, {
    merchantId,
    orderId,
    version,
    decision,
    decisionReason: reason ?? null,
    decidedBy,
  });
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
