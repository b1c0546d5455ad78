/** SQL that writes and finds attempts, always within one merchant. */
import { type MerchantId, storedPublicId, type TenantId } from '../ids.js';
import type { OrderId, OrderRef } from '../orders/order/order.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { Attempt, AttemptId, AttemptRef, OrderAttempt, SuspenseAttempt } from './attempt.js';
import type { SuspenseRef } from './ports.js';
import { type AttemptRow, attemptColumns, toAttempt } from './row.js';
import type { AttemptState } from './transitions.js';

const insertAttempt = statement(
  'payouts.insert',
  `INSERT INTO payout_attempts (merchant_id, attempt_id, order_id, user_id, refund_id, suspense_id, bank, direction, number, reference,
     rail, corridor, currency, amount_minor, payout_country, payout_method, payout_account, sealed_content, state, due_at,
     version, created_at, changed_at)
   SELECT $merchantId::bigint, $attemptId, $orderId, $userId::bigint, $refundId, $suspenseId, $bank, $direction,
          $number::int, $reference, $rail, $corridor, $currency, $amountMinor::bigint, $country, $method, $account,
          $sealedContent::bytea, 'READY', CASE WHEN $isAutomatic::boolean THEN clock.due END, 1, clock.at, clock.at
     FROM (SELECT date_trunc('milliseconds', statement_timestamp()) AS at, ${merchantNow} AS due) AS clock`,
);
const findById = statement(
  'payouts.find',
  `SELECT ${attemptColumns} FROM payout_attempts WHERE merchant_id = $merchantId AND attempt_id = $attemptId`,
).rows<AttemptRow>();
const findByReference = statement(
  'payouts.find-by-reference',
  `SELECT ${attemptColumns} FROM payout_attempts WHERE merchant_id = $merchantId AND reference = $reference`,
).rows<AttemptRow>();
const lockById = statement(
  'payouts.lock',
  `SELECT ${attemptColumns} FROM payout_attempts WHERE merchant_id = $merchantId AND attempt_id = $attemptId FOR UPDATE`,
).rows<AttemptRow>();
const listByOrder = statement(
  'payouts.list-of-order',
  `SELECT ${attemptColumns} FROM payout_attempts WHERE merchant_id = $merchantId AND order_id = $orderId ORDER BY number`,
).rows<AttemptRow>();
const listBySuspense = statement(
  'payouts.list-of-suspense',
  `SELECT ${attemptColumns} FROM payout_attempts WHERE merchant_id = $merchantId AND suspense_id = $suspenseId ORDER BY number`,
).rows<AttemptRow>();
const countByOrder = statement(
  'payouts.count-of-orders',
  `SELECT order_id, count(*)::int AS attempts FROM payout_attempts
    WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds) GROUP BY order_id`,
).rows<{ order_id: string; attempts: number }>();
const listByMessage = statement(
  'payouts.list-of-message',
  `SELECT ${attemptColumns} FROM payout_attempts WHERE merchant_id = $merchantId AND message_id = $messageId ORDER BY attempt_id`,
).rows<AttemptRow>();
const listContents = statement(
  'payouts.list-contents-of-message',
  `SELECT ${attemptColumns}, sealed_content FROM payout_attempts
    WHERE merchant_id = $merchantId AND message_id = $messageId ORDER BY attempt_id`,
).rows<AttemptRow & { sealed_content: Buffer }>();
const findSealedContent = statement(
  'payouts.find-content',
  'SELECT sealed_content FROM payout_attempts WHERE merchant_id = $merchantId AND attempt_id = $attemptId',
).rows<{ sealed_content: Buffer }>();
const findSealedCode = statement(
  'payouts.find-pickup-code',
  `SELECT attempt_id, sealed_pickup_code FROM payout_attempts
    WHERE merchant_id = $merchantId AND order_id = $orderId AND sealed_pickup_code IS NOT NULL
      AND state NOT IN ('REJECTED', 'RETURNED', 'RECALLED')`,
).rows<{ attempt_id: string; sealed_pickup_code: Buffer }>();
const updateState = statement(
  'payouts.update-state',
  `UPDATE payout_attempts
      SET state = $to, version = version + 1, changed_at = date_trunc('milliseconds', statement_timestamp()), asked = 0,
          leased_until = NULL, lease_holder = NULL, due_at = ${merchantNow} + make_interval(secs => $askInSeconds::float8)
    WHERE merchant_id = $merchantId AND attempt_id = $attemptId AND version = $version
   RETURNING ${attemptColumns}`,
).rows<AttemptRow>();
const raise = statement(
  'payouts.raise-version',
  `UPDATE payout_attempts SET version = version + 1
    WHERE merchant_id = $merchantId AND attempt_id = $attemptId AND version = $version RETURNING ${attemptColumns}`,
).rows<AttemptRow>();
const saveCode = statement(
  'payouts.save-pickup-code',
  'UPDATE payout_attempts SET sealed_pickup_code = $sealed WHERE merchant_id = $merchantId AND attempt_id = $attemptId',
);

const listIds = statement(
  'payouts.list-ids',
  `SELECT attempt_id FROM payout_attempts WHERE merchant_id = $merchantId AND attempt_id > $after
    ORDER BY attempt_id LIMIT $limit`,
).rows<{ attempt_id: string }>();
const listByIds = statement(
  'payouts.list-by-ids',
  `SELECT ${attemptColumns} FROM payout_attempts WHERE merchant_id = $merchantId AND attempt_id = ANY ($ids)`,
).rows<AttemptRow>();

type Unset = 'state' | 'message' | 'asked' | 'version' | 'createdAt' | 'changedAt';

export type NewAttempt = (Omit<OrderAttempt, Unset> | Omit<SuspenseAttempt, Unset>) & {
  readonly corridor: string;
  readonly sealedContent: Buffer;
  /** Whether the worker sends it. */
  readonly isAutomatic: boolean;
};

/** Throws the database's error on a unique index when the payout, refund or record has an attempt that is not dead. */
export async function addAttempt(tx: Transaction, attempt: NewAttempt): Promise<void> {
  const ofOrder = attempt.orderId === undefined ? undefined : attempt;
  const ofSuspense = attempt.orderId === undefined ? attempt : undefined;
  await tx.query(insertAttempt, {
    ...attempt,
    orderId: ofOrder?.orderId,
    userId: ofOrder?.userId ?? null,
    refundId: ofOrder?.refundId,
    suspenseId: ofSuspense?.suspenseId,
    bank: ofSuspense?.bank,
    currency: attempt.amount.currency,
    amountMinor: attempt.amount.minor,
  });
}

export async function findAttempt(database: Queryable, attempt: AttemptRef): Promise<Attempt | undefined> {
  const [row] = await database.query(findById, attempt);
  return row && toAttempt(row);
}

export async function findAttemptByReference(
  database: Queryable,
  merchantId: TenantId,
  reference: string,
): Promise<Attempt | undefined> {
  const [row] = await database.query(findByReference, { merchantId, reference });
  return row && toAttempt(row);
}

/** The ids of attempts after this one, in their order. */
export async function listAttemptIdsAfter(
  database: Queryable,
  merchantId: TenantId,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await database.query(listIds, { merchantId, after, limit })).map((row) => row.attempt_id);
}

export async function listAttemptsByIds(
  database: Queryable,
  merchantId: TenantId,
  ids: readonly AttemptId[],
): Promise<Attempt[]> {
  return (await database.query(listByIds, { merchantId, ids })).map(toAttempt);
}

/** The caller has locked the user and the order. */
export async function lockAttempt(tx: Transaction, attempt: AttemptRef): Promise<Attempt | undefined> {
  const [row] = await tx.query(lockById, attempt);
  return row && toAttempt(row);
}

/** The first one first. */
export async function listAttemptsOfOrder(database: Queryable, order: OrderRef): Promise<Attempt[]> {
  return (await database.query(listByOrder, order)).map(toAttempt);
}

/** The first one first. */
export async function listAttemptsOfSuspense(
  database: Queryable,
  { ownerId, suspenseId }: SuspenseRef,
): Promise<Attempt[]> {
  return (await database.query(listBySuspense, { merchantId: ownerId, suspenseId })).map(toAttempt);
}

/** Payouts and refunds together. Orders without an attempt are left out. */
export async function countAttemptsOf(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, number>> {
  const rows = await database.query(countByOrder, { merchantId, orderIds });
  return new Map(rows.map((row) => [storedPublicId('ord', row.order_id), row.attempts]));
}

/** In the order in which the message has them. */
export async function listAttemptsOfMessage(
  database: Queryable,
  merchantId: TenantId,
  messageId: string,
): Promise<Attempt[]> {
  return (await database.query(listByMessage, { merchantId, messageId })).map(toAttempt);
}

/** As `listAttemptsOfMessage`, with the sealed contents. */
export async function listContentsOfMessage(
  database: Queryable,
  merchantId: TenantId,
  messageId: string,
): Promise<{ attempt: Attempt; sealedContent: Buffer }[]> {
  const rows = await database.query(listContents, { merchantId, messageId });
  return rows.map((row) => ({ attempt: toAttempt(row), sealedContent: row.sealed_content }));
}

/** Throws when there is no such attempt: attempts are never deleted. */
export async function findContent(database: Queryable, { merchantId, attemptId }: AttemptRef): Promise<Buffer> {
  const [row] = await database.query(findSealedContent, { merchantId, attemptId });
  if (!row) throw new Error(`there is no attempt ${attemptId}`);
  return row.sealed_content;
}

export async function findPickupCode(
  database: Queryable,
  order: OrderRef,
): Promise<{ attemptId: AttemptId; sealed: Buffer } | undefined> {
  const [row] = await database.query(findSealedCode, order);
  return row && { attemptId: storedPublicId('att', row.attempt_id), sealed: row.sealed_pickup_code };
}

/**
 * Ends the lease. `askInSeconds` says when the rail is asked next; undefined: never. Returns undefined when the attempt
 * is no longer at this version.
 */
export async function saveState(
  tx: Transaction,
  { merchantId, attemptId, version }: Attempt,
  to: AttemptState,
  askInSeconds: number | undefined,
): Promise<Attempt | undefined> {
  const values = { merchantId, attemptId, version, to, askInSeconds: askInSeconds ?? null };
  const [row] = await tx.query(updateState, values);
  return row && toAttempt(row);
}

/** For a change that leaves the state as it is. Returns undefined when the attempt is no longer at this version. */
export async function raiseVersion(
  tx: Transaction,
  { merchantId, attemptId, version }: Attempt,
): Promise<Attempt | undefined> {
  const [row] = await tx.query(raise, { merchantId, attemptId, version });
  return row && toAttempt(row);
}

export async function savePickupCode(tx: Transaction, attempt: AttemptRef, sealed: Buffer): Promise<void> {
  await tx.query(saveCode, { ...attempt, sealed });
}
