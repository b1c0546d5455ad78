/**
 * Four eyes: a command that can need a second person declares it, and the command runner stores the request instead of
 * running the verb. The room `approvals/` implements `Approvals`.
 */
import Type, { type Static } from 'typebox';
import {
  type ApprovalAction,
  type ApprovalSubject,
  approvalActions,
  type PendingApproval,
  type RequestedCommand,
} from '../approval.js';
import type { Queryable, Transaction } from '../postgres/statement.js';

export interface FourEyes<OperatorCall> {
  readonly action: ApprovalAction;
  /**
   * Locks what the command would change, and returns it; undefined when one person is enough for this call. It is asked
   * again when the request is approved: a subject or version that differs then makes the request stale.
   */
  readonly review: (call: OperatorCall, tx: Transaction) => Promise<ApprovalSubject | undefined>;
}

export interface Approvals {
  /** Whether the settings demand a second person for this action. */
  isDemanded(action: ApprovalAction): boolean;
  /** Stores the request. Throws `approval_pending` when the subject has one already. */
  request(tx: Transaction, command: RequestedCommand): Promise<PendingApproval>;
}

/** Finds the pending requests that concern these records, by record. */
export type FindPending = (
  database: Queryable,
  records: readonly string[],
) => Promise<ReadonlyMap<string, PendingApproval>>;

/** For a server whose commands need one person only. */
export const noApprovals: Approvals = {
  isDemanded: () => false,
  request: () => Promise.reject(new Error('no action needs a second person')),
};

export const PendingApprovalShape = Type.Object(
  {
    approvalId: Type.String({
      description: 'The id of the request, for `/operator/approvals/{approvalId}`.',
    }),
    action: Type.Enum([...approvalActions], { description: 'What needs a second person.' }),
    requestedBy: Type.String({ description: 'The login of the operator who asked.' }),
    requestedAt: Type.String({ format: 'date-time', description: 'When it was asked for.' }),
    expiresAt: Type.String({ format: 'date-time', description: 'Until when it can be approved.' }),
  },
  {
    title: 'PendingApproval',
    description: 'A request that waits for a second operator. Nothing has changed yet.',
    examples: [
      {
        approvalId: 'apr_0000003J8V2T9X5B3N6H0C7D2F',
        action: 'corridor.save',
        requestedBy: 'ana',
        requestedAt: '2026-11-15T09:41:00.000Z',
        expiresAt: '2026-11-18T09:41:00.000Z',
      },
    ],
  },
);

export function encodePending(pending: PendingApproval): Static<typeof PendingApprovalShape> {
  const { approvalId, action, requestedBy, requestedAt, expiresAt } = pending;
  return {
    ...{ approvalId, action, requestedBy },
    requestedAt: requestedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** The field of a record that a pending request is shown in; nothing while there is none. */
export function pendingField(pending: PendingApproval | undefined): {
  pendingApproval?: Static<typeof PendingApprovalShape>;
} {
  return pending ? { pendingApproval: encodePending(pending) } : {};
}
