/**
 * The words of four eyes that settings, plumbing and rooms share: which actions can need a second person, and what such
 * a request is about. The room `approvals/` owns the requests.
 */

import type { By, OperatorCaller } from './caller.js';
import type { TenantId } from './ids.js';

/** As the setting FOUR_EYES names them. */
export const approvalActions = [
  'block.lift',
  'case.close',
  'corridor.save',
  'country_policy.save',
  'rate.accept',
  'exposure.accept',
  'operator.create',
  'operator.change',
  'licensee.save',
  'merchant.create',
  'merchant.secret',
  'hit.dismiss',
  'hold.release',
  'ledger.entry',
  'order.release',
  'order.correct',
  'refund.redirect',
  'payment.clawback',
  'payment.void',
  'bank_account.save',
  'bank_answer.apply',
  'bank.statement',
  'bank.line',
  'bank_batch.release',
  'monitoring_rule.change',
  'payin_account.save',
  'payment.record',
  'payment.import',
  'payout.record',
  'payout.recall',
  'payout.document',
  'review_rule.change',
  'risk.lower',
  'suspense.match',
  'suspense.return',
  'suspense.release',
  'suspense.write_off',
] as const;
export type ApprovalAction = (typeof approvalActions)[number];

/** What a command is about to change. */
export interface ApprovalSubject {
  /** As `kind:id`, such as `corridor:EUR-MXN`. A subject has one pending request for each action. */
  readonly subject: string;
  /** Differs whenever the subject has changed. A request for another version is stale. */
  readonly version: string;
  /** The records that show the request while it is pending. Absent: the subject alone. */
  readonly records?: readonly string[];
}

/** A command that waits for a second person. */
export interface RequestedCommand {
  readonly action: ApprovalAction;
  readonly operationId: string;
  /** The merchant whose data the command changes, or the instance. */
  readonly merchantId: TenantId;
  readonly by: By & { readonly actor: OperatorCaller };
  readonly subject: ApprovalSubject;
  /** The request as it came, which is run when it is approved; with the note, and what it would replace. */
  readonly payload: string;
}

/** A request that waits for a second person, as the operator who asked gets it. */
export interface RequestedApproval {
  readonly approvalId: string;
  readonly action: ApprovalAction;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

/** The same, as the record that it concerns shows it. */
export interface PendingApproval extends RequestedApproval {
  /** The login of the operator who asked. */
  readonly requestedBy: string;
}

/** The job that ends requests which expired, or whose operator was disabled. */
export const endApprovalsJob = 'approvals.end';
