/**
 * Owns requests for approval: commands of operators that wait for a second person, and how each of them ended.
 * Does not own the commands: other rooms declare them, and an approved one runs exactly as it was asked for.
 */
import type { ApprovalAction, ApprovalSubject } from '../approval.js';
import type { OperatorId, PublicId, TenantId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';

export const approvalStates = ['pending', 'approved', 'refused', 'withdrawn', 'expired', 'void', 'outdated'] as const;
export type ApprovalState = (typeof approvalStates)[number];
export type ApprovalId = PublicId<'apr'>;

/** What was asked for. It never changes. */
export interface ApprovalRequest {
  /** The merchant whose data the command changes, or the instance. */
  readonly merchantId: TenantId;
  readonly approvalId: ApprovalId;
  readonly action: ApprovalAction;
  readonly operationId: string;
  readonly subject: string;
  readonly records: readonly string[];
  readonly version: string;
  readonly requestedBy: OperatorId;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

export type ApprovalRef = Pick<ApprovalRequest, 'merchantId' | 'approvalId'>;

export interface Approval extends ApprovalRequest {
  /** `expired` from the moment it expires, also before the job has noted it. */
  readonly state: ApprovalState;
  readonly payloadHash: Buffer;
  readonly decidedBy: OperatorId | undefined;
  readonly endedAt: Date | undefined;
  /** Where the result is found, for what did not exist before. */
  readonly resultPath: string | undefined;
  /** The operator who asked can fetch an answer with a secret. */
  readonly hasAnswer: boolean;
}

/** The command of a request, restored for the operator who approves it. */
export interface ReadyCommand {
  /** What it was restored from. */
  readonly payload: string;
  merchantOf(tx: Transaction): Promise<TenantId>;
  review(tx: Transaction): Promise<ApprovalSubject | undefined>;
  run(tx: Transaction): Promise<ApprovalResult>;
}

/** What is kept of the answer of an approved command. */
export interface ApprovalResult {
  readonly path: string | undefined;
  /** The answer as JSON, when it contains a secret for the operator who asked. */
  readonly secretAnswer: string | undefined;
}

/** Whether what would be changed now is what the request was about. */
export function isStillAbout(approval: Approval, now: ApprovalSubject | undefined, owner: TenantId): boolean {
  return owner === approval.merchantId && now?.subject === approval.subject && now.version === approval.version;
}

/** The account of the operator who asked, as it is now. */
export interface Requester {
  readonly isActive: boolean;
  readonly mayAsk: boolean;
  readonly disabledAt: Date | undefined;
}

/** A request ends with the right of its operator to ask, also if the operator is enabled again later. */
export function isVoid({ requestedAt }: ApprovalRequest, requester: Requester): boolean {
  if (!requester.isActive || !requester.mayAsk) return true;
  return requester.disabledAt !== undefined && requester.disabledAt >= requestedAt;
}
