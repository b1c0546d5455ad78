/**
 * How requests for approval end without a decision: expired, void, or outdated; and how what they contain is forgotten.
 */
import type { ApprovalAction, ApprovalSubject } from '../approval.js';
import { type By, mayAct, type OperatorActor, type OperatorRole } from '../caller.js';
import { findNewestChange, recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { operatorId, type TenantId } from '../ids.js';
import { findOperator } from '../operators/service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { type Approval, type ApprovalRef, isStillAbout, isVoid } from './approval.js';
import type { ApprovalSeals } from './sealed.js';
import * as store from './store.js';

export interface ApprovalOptions {
  /** The actions that need a second person. */
  readonly demanded: ReadonlySet<ApprovalAction>;
  readonly lifetimeHours: number;
  readonly seals: ApprovalSeals;
  /** The role that a command demands, by operation; undefined when this version does not have it any more. */
  readonly roleFor: (operationId: string) => OperatorRole | undefined;
  /** What a stored command is about now. Throws what the command throws. */
  readonly review: (
    tx: Transaction,
    payload: string,
    by: { readonly requester: OperatorActor; readonly approvalId: string },
  ) => Promise<ApprovalSubject | undefined>;
}

/** What was asked for, and why it was refused, can be read for so long after the end. */
export const keptDays = 90;

export class ApprovalClosing {
  readonly #options: ApprovalOptions;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** Ends a request that has expired, or whose operator may not ask any more. Returns whether it has ended now. */
  async endIfOver(tx: Transaction, { merchantId, approvalId }: ApprovalRef): Promise<boolean> {
    const found = await store.lockApproval(tx, merchantId, approvalId);
    if (!found || found.approval.endedAt) return true;
    const { approval } = found;
    const isPending = approval.state === 'pending';
    if (isPending && !(await this.isVoid(tx, approval))) return false;
    const state = isPending ? 'void' : 'expired';
    await auditApproval(tx, byApprovals, await store.endApproval(tx, approval, { state }), `approval.${state}`);
    return true;
  }

  /** Ends a request that was found to be outdated, if it is still pending. */
  async close(tx: Transaction, { merchantId, approvalId }: ApprovalRef): Promise<void> {
    const found = await store.lockApproval(tx, merchantId, approvalId);
    if (found?.approval.state === 'pending') await this.#endOutdated(tx, found.approval);
  }

  /** Ends a pending request whose subject has changed. Returns whether it has. */
  async endIfOutdated(tx: Transaction, { merchantId, approvalId }: ApprovalRef): Promise<boolean> {
    const found = await store.lockApproval(tx, merchantId, approvalId);
    if (found?.approval.state !== 'pending' || !found.sealedPayload) return false;
    const { approval, sealedPayload } = found;
    const payload = this.#options.seals.openPayload(approval, sealedPayload);
    const requester = payload === undefined ? undefined : await findOperator(tx, approval.requestedBy);
    if (payload === undefined || !requester) return false;
    const { operatorId: id, role } = requester;
    const by = { requester: { kind: 'operator', operatorId: id, role }, approvalId } as const;
    const now = await this.#options.review(tx, payload, by).catch(undefinedIfRefused);
    if (isStillAbout(approval, now, approval.merchantId)) return false;
    await this.#endOutdated(tx, approval);
    return true;
  }

  /** Removes what is not kept any more of a request that has ended. Returns false when there is nothing. */
  forgetOld(tx: Transaction, request: ApprovalRef): Promise<boolean> {
    return store.forgetOld(tx, request, keptDays);
  }

  /** The records were erased: their pending requests end, and nothing is kept of what people wrote about them. */
  async forget(tx: Transaction, merchantId: TenantId, records: readonly string[]): Promise<void> {
    if (records.length === 0) return;
    for (const approval of await store.lockPending(tx, merchantId, records)) {
      await auditApproval(tx, byApprovals, await store.endApproval(tx, approval, { state: 'void' }), 'approval.void');
    }
    await store.forgetContents(tx, merchantId, records);
  }

  /** Whether the operator who asked was disabled meanwhile, or has a lower role than the command demands. */
  async isVoid(database: Queryable, approval: Approval): Promise<boolean> {
    const requester = await findOperator(database, approval.requestedBy);
    if (!requester) return true;
    const { operatorId: id, role, status, disabledAt } = requester;
    const demanded = this.#options.roleFor(approval.operationId);
    const mayAsk = demanded === undefined || mayAct({ kind: 'operator', operatorId: id, role }, demanded);
    return isVoid(approval, { isActive: status === 'active', mayAsk, disabledAt });
  }

  async #endOutdated(tx: Transaction, approval: Approval): Promise<void> {
    const ended = await store.endApproval(tx, approval, { state: 'outdated' });
    await auditApproval(tx, byApprovals, ended, 'approval.outdated');
  }
}

const byApprovals: By = { actor: { kind: 'system', name: 'approvals' } };

export interface CauseOfEnd {
  /** As the audit log names it, with the login of an operator. */
  readonly actor: string;
  readonly action: string;
  readonly at: Date;
}

/** The last change of the subject before the request ended. Undefined when there is none that we know. */
export async function causeOf(database: Queryable, approval: Approval): Promise<CauseOfEnd | undefined> {
  const { merchantId, subject, records, requestedAt, endedAt } = approval;
  const time = { after: requestedAt, until: endedAt };
  const change = await findNewestChange(database, merchantId, [subject, ...records], time);
  if (!change) return undefined;
  const { actor, action, recordedAt: at } = change;
  const operator = actor.kind === 'operator' ? await findOperator(database, operatorId(Number(actor.id))) : undefined;
  return { actor: `${actor.kind}:${operator?.login ?? actor.id}`, action, at };
}

/** A command that refuses to say what it is about can no longer be carried out. */
function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof RemesaError && (error.kind === 'not_found' || error.kind === 'conflict')) return undefined;
  throw error;
}

/** Names both operators. The hash proves what was asked for after the payload is gone. */
export function auditApproval(tx: Transaction, by: By, approval: Approval, action: string): Promise<void> {
  const { merchantId, approvalId, requestedBy, payloadHash } = approval;
  return recordChange(tx, by, {
    merchantId,
    action,
    subject: `approval:${approvalId}`,
    details: {
      action: approval.action,
      payloadHash: payloadHash.toString('hex'),
      approvalId,
      requestedBy: `operator:${requestedBy}`,
    },
  });
}
