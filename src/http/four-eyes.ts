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
  type RequestedApproval,
  type RequestedCommand,
} from '../approval.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { time } from './shapes.js';

export interface FourEyes<OperatorCall, Answer> {
  readonly action: ApprovalAction;
  /**
   * Locks what the command would change, and returns it; undefined when one person is enough for this call. It is asked
   * again when the request is approved: a subject or version that differs then makes the request stale.
   */
  readonly review: (call: OperatorCall, tx: Transaction) => Promise<ApprovalSubject | undefined>;
  /**
   * What the body would replace, in the form of the body, so that the second person sees both. It is asked when the
   * request is made, after `review`. Undefined when there is nothing yet.
   */
  readonly before?: (call: OperatorCall, tx: Transaction) => Promise<object | undefined>;
  /** The path under which the result is found, for what did not exist before. */
  readonly resultPath?: (answer: Answer) => string;
  /** The answer contains a secret: it is kept sealed for the operator who asked, who fetches it once. */
  readonly hasSecretAnswer?: boolean;
}

export interface Approvals {
  /** Whether the settings demand a second person for this action. */
  isDemanded(action: ApprovalAction): boolean;
  /** Stores the request. Throws `approval_pending` when the subject has one already. */
  request(tx: Transaction, command: RequestedCommand): Promise<RequestedApproval>;
}

/** Finds the pending requests that concern these records, by record: of all actions, or of these. */
export type FindPending = (
  database: Queryable,
  records: readonly string[],
  actions?: readonly ApprovalAction[],
) => Promise<ReadonlyMap<string, PendingApproval>>;

const requestFields = {
  approvalId: Type.String({ description: 'The id of the request, for `/operator/approvals/{approvalId}`.' }),
  action: Type.Enum([...approvalActions], { description: 'What needs a second person.' }),
  requestedAt: time('When it was asked for.'),
  expiresAt: time('Until when it can be approved.'),
};
const requestExample = {
  approvalId: 'apr_0000003J8V2T9X5B3N6H0C7D2F',
  action: 'corridor.save',
  requestedAt: '2026-11-15T09:41:00.000Z',
  expiresAt: '2026-11-18T09:41:00.000Z',
};

/** The 202 of a command. It contains no login, because the answer may be stored for retries as plain text. */
export const RequestedApprovalShape = Type.Object(requestFields, {
  title: 'RequestedApproval',
  description: 'Your request, which waits for a second operator. Nothing has changed yet.',
  examples: [requestExample],
});

export const PendingApprovalShape = Type.Object(
  { ...requestFields, requestedBy: Type.String({ description: 'The login of the operator who asked.' }) },
  {
    title: 'PendingApproval',
    description: 'A request that waits for a second operator. Absent when there is none.',
    examples: [{ ...requestExample, requestedBy: 'ana' }],
  },
);

export function encodeRequested(requested: RequestedApproval): Static<typeof RequestedApprovalShape> {
  const { approvalId, action, requestedAt, expiresAt } = requested;
  return {
    approvalId,
    action,
    requestedAt: requestedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** The field of a record that a pending request is shown in; nothing while there is none. */
export function pendingField(pending: PendingApproval | undefined): {
  pendingApproval?: Static<typeof PendingApprovalShape>;
} {
  if (!pending) return {};
  return { pendingApproval: { ...encodeRequested(pending), requestedBy: pending.requestedBy } };
}
