/** SQL on requests for approval. What was asked for is written once; how it ended too. */
import type { ApprovalAction } from '../approval.js';
import { type OperatorId, operatorId, storedPublicId, type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { Approval, ApprovalId, ApprovalRef, ApprovalRequest, ApprovalState } from './approval.js';

export interface ApprovalRow {
  merchant_id: bigint;
  approval_id: string;
  action: ApprovalAction;
  operation_id: string;
  subject: string;
  records: string[];
  version: string;
  payload_hash: Buffer;
  requested_by: bigint;
  requested_at: Date;
  expires_at: Date;
  state: ApprovalState;
  decided_by: bigint | null;
  ended_at: Date | null;
  result_path: string | null;
  has_answer: boolean;
}
interface SealedRow extends ApprovalRow {
  sealed_payload: Buffer | null;
  sealed_reason: Buffer | null;
  sealed_answer: Buffer | null;
}

const storedColumns = `merchant_id, approval_id, action, operation_id, subject, records, version, payload_hash, requested_by,
  requested_at, expires_at, decided_by, ended_at, result_path`;
/** Operators work in real time, so a merchant's sandbox clock has no say in when a request expires. */
export const columns = `${storedColumns},
  sealed_answer IS NOT NULL AND ended_at > statement_timestamp() - interval '24 hours' AS has_answer,
  CASE WHEN state = 'pending' AND expires_at <= statement_timestamp() THEN 'expired' ELSE state END AS state`;

const readTimes = statement(
  'approvals.read-times',
  `SELECT date_trunc('milliseconds', statement_timestamp()) AS requested_at,
          date_trunc('milliseconds', statement_timestamp()) + make_interval(hours => $lifetimeHours) AS expires_at`,
).rows<{ requested_at: Date; expires_at: Date }>();
const insertRequest = statement(
  'approvals.insert',
  `INSERT INTO approval_requests (merchant_id, approval_id, action, operation_id, subject, records, version,
     requested_by,
                                  requested_at, expires_at, sealed_payload, payload_hash)
   VALUES ($merchantId, $approvalId, $action, $operationId, $subject, $records, $version, $requestedBy,
     $requestedAt, $expiresAt, $sealedPayload, $payloadHash)
   ON CONFLICT (merchant_id, action, subject) WHERE state = 'pending' DO NOTHING
   RETURNING ${storedColumns}, state, false AS has_answer`,
).rows<ApprovalRow>();
const findPending = statement(
  'approvals.find-pending',
  `SELECT ${columns} FROM approval_requests
    WHERE merchant_id = $merchantId AND action = $action AND subject = $subject AND state = 'pending'`,
).rows<ApprovalRow>();
const lockRequest = statement(
  'approvals.lock',
  'SELECT 1 FROM approval_requests WHERE merchant_id = $merchantId AND approval_id = $approvalId FOR UPDATE',
);
const findRequest = statement(
  'approvals.find',
  `SELECT ${columns}, sealed_payload, sealed_reason, sealed_answer FROM approval_requests
    WHERE merchant_id = $merchantId AND approval_id = $approvalId`,
).rows<SealedRow>();
const endRequest = statement(
  'approvals.end',
  `UPDATE approval_requests SET state = $state, decided_by = $decidedBy, sealed_reason = $sealedReason,
          result_path = $resultPath, sealed_answer = $sealedAnswer, ended_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND approval_id = $approvalId AND state = 'pending'
      RETURNING ${storedColumns}, state, sealed_answer IS NOT NULL AS has_answer`,
).rows<ApprovalRow>();
const removeAnswer = statement(
  'approvals.remove-answer',
  `UPDATE approval_requests SET sealed_answer = NULL
    WHERE merchant_id = $merchantId AND approval_id = $approvalId`,
);
const removeOldAnswer = statement(
  'approvals.remove-old-answer',
  `UPDATE approval_requests SET sealed_answer = NULL
    WHERE merchant_id = $merchantId AND approval_id = $approvalId AND sealed_answer IS NOT NULL
      AND ended_at <= statement_timestamp() - interval '24 hours'
   RETURNING 1 AS removed`,
).rows<{ removed: number }>();
const removeOldContents = statement(
  'approvals.remove-old-contents',
  `UPDATE approval_requests SET sealed_reason = NULL, sealed_payload = NULL
    WHERE merchant_id = $merchantId AND approval_id = $approvalId
      AND ended_at <= statement_timestamp() - make_interval(days => $keptDays)
   RETURNING 1 AS removed`,
).rows<{ removed: number }>();
const listPendingOn = statement(
  'approvals.list-pending-on',
  `SELECT ${columns} FROM approval_requests
    WHERE state = 'pending' AND expires_at > statement_timestamp() AND records && $records::text[]
    ORDER BY requested_at, approval_id`,
).rows<ApprovalRow>();
const listPendingOfRecords = statement(
  'approvals.list-pending-of-records',
  `SELECT ${columns} FROM approval_requests
    WHERE merchant_id = $merchantId AND state = 'pending' AND records && $records::text[]
      ORDER BY approval_id FOR UPDATE`,
).rows<ApprovalRow>();
const removeContents = statement(
  'approvals.remove-contents',
  `UPDATE approval_requests SET sealed_reason = NULL, sealed_payload = NULL, sealed_answer = NULL
    WHERE merchant_id = $merchantId AND records && $records::text[] AND state <> 'pending'`,
);

/** When a request that is made now expires. To the millisecond, because the payload is sealed with these times. */
export async function readRequestTimes(
  tx: Transaction,
  lifetimeHours: number,
): Promise<{ requestedAt: Date; expiresAt: Date }> {
  const [row] = await tx.query(readTimes, { lifetimeHours });
  if (!row) throw new Error('the database returned no time');
  return { requestedAt: row.requested_at, expiresAt: row.expires_at };
}

/** Returns undefined when the subject has a pending request for this action. */
export async function addRequest(
  tx: Transaction,
  request: ApprovalRequest,
  { sealedPayload, payloadHash }: { readonly sealedPayload: Buffer; readonly payloadHash: Buffer },
): Promise<Approval | undefined> {
  const [row] = await tx.query(insertRequest, { ...request, sealedPayload, payloadHash });
  return row && toApproval(row);
}

export async function findPendingRequest(
  database: Queryable,
  merchantId: TenantId,
  action: ApprovalAction,
  subject: string,
): Promise<Approval | undefined> {
  const [row] = await database.query(findPending, { merchantId, action, subject });
  return row && toApproval(row);
}

export interface SealedApproval {
  readonly approval: Approval;
  /** Undefined once it was removed, after the request has ended. */
  readonly sealedPayload: Buffer | undefined;
  readonly sealedReason: Buffer | undefined;
  /** Undefined once it was fetched, or is too old. */
  readonly sealedAnswer: Buffer | undefined;
}

export async function findApproval(
  database: Queryable,
  merchantId: TenantId,
  approvalId: ApprovalId,
): Promise<SealedApproval | undefined> {
  const [row] = await database.query(findRequest, { merchantId, approvalId });
  if (!row) return undefined;
  const { sealed_payload: sealedPayload, sealed_reason: sealedReason, sealed_answer: sealedAnswer } = row;
  return {
    approval: toApproval(row),
    sealedPayload: sealedPayload ?? undefined,
    sealedReason: sealedReason ?? undefined,
    sealedAnswer: (row.has_answer && sealedAnswer) || undefined,
  };
}

/** Reads the row after it is locked: it may have expired while this transaction waited. */
export async function lockApproval(
  tx: Transaction,
  merchantId: TenantId,
  approvalId: ApprovalId,
): Promise<SealedApproval | undefined> {
  await tx.query(lockRequest, { merchantId, approvalId });
  return findApproval(tx, merchantId, approvalId);
}

export interface Ending {
  readonly state: Exclude<ApprovalState, 'pending'>;
  readonly decidedBy?: OperatorId;
  readonly sealedReason?: Buffer;
  readonly resultPath?: string | undefined;
  readonly sealedAnswer?: Buffer | undefined;
}

/** Throws when the request has ended already: lock it first. */
export async function endApproval(
  tx: Transaction,
  approval: ApprovalRef,
  { state, decidedBy, sealedReason, resultPath, sealedAnswer }: Ending,
): Promise<Approval> {
  const { merchantId, approvalId } = approval;
  const ending = { state, decidedBy, sealedReason, resultPath, sealedAnswer };
  const [row] = await tx.query(endRequest, { merchantId, approvalId, ...ending });
  if (!row) throw new Error('the request for approval has ended already');
  return toApproval(row);
}

/** The pending requests that concern any of these records, whichever merchant they belong to; the oldest first. */
export async function listPending(database: Queryable, records: readonly string[]): Promise<Approval[]> {
  return (await database.query(listPendingOn, { records })).map(toApproval);
}

export async function lockPending(
  tx: Transaction,
  merchantId: TenantId,
  records: readonly string[],
): Promise<Approval[]> {
  return (await tx.query(listPendingOfRecords, { merchantId, records })).map(toApproval);
}

/** Removes what people wrote about these records, from requests that have ended. */
export async function forgetContents(tx: Transaction, merchantId: TenantId, records: readonly string[]): Promise<void> {
  await tx.query(removeContents, { merchantId, records });
}

export async function forgetAnswer(tx: Transaction, { merchantId, approvalId }: ApprovalRef): Promise<void> {
  await tx.query(removeAnswer, { merchantId, approvalId });
}

/** Removes what a request that has ended is not kept for any more. Returns false when there is nothing. */
export async function forgetOld(
  tx: Transaction,
  { merchantId, approvalId }: ApprovalRef,
  keptDays: number,
): Promise<boolean> {
  const answer = await tx.query(removeOldAnswer, { merchantId, approvalId });
  const contents = await tx.query(removeOldContents, { merchantId, approvalId, keptDays });
  return answer.length + contents.length > 0;
}

export function toApproval(row: ApprovalRow): Approval {
  return {
    merchantId: tenantId(row.merchant_id),
    approvalId: storedPublicId('apr', row.approval_id),
    action: row.action,
    operationId: row.operation_id,
    subject: row.subject,
    records: row.records,
    version: row.version,
    requestedBy: operatorId(row.requested_by),
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    state: row.state,
    payloadHash: row.payload_hash,
    decidedBy: row.decided_by === null ? undefined : operatorId(row.decided_by),
    endedAt: row.ended_at ?? undefined,
    resultPath: row.result_path ?? undefined,
    hasAnswer: row.has_answer,
  };
}
