/**
 * The verbs of approvals: ask, approve, refuse, withdraw. An approved command runs in the transaction of its approval.
 */
import type { ApprovalAction, PendingApproval, RequestedApproval, RequestedCommand } from '../approval.js';
import { type By, type ByOperator, mayAct, type OperatorActor } from '../caller.js';
import { newMerchantPublicId, publicId, type TenantId, tenantOfPublicId } from '../ids.js';
import { areIndependent } from '../operators/operator.js';
import { findOperator, getOperator } from '../operators/service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { type Approval, isStillAbout, type ReadyCommand } from './approval.js';
import { ApprovalClosing, type ApprovalOptions, auditApproval, type CauseOfEnd, causeOf } from './closing.js';
import { type ApprovalPlace, type ApprovalQuery, listApprovals } from './listing-store.js';
import { type ListedApproval, withNames } from './names.js';
import * as refusals from './refusals.js';
import * as store from './store.js';

export interface ApprovalFile extends ListedApproval {
  /** What was asked for. Undefined for readers who may not decide it, once it is old, and when it was altered. */
  readonly payload: string | undefined;
  readonly reason: string | undefined;
  /** The change that made it outdated, if it is known. */
  readonly outdatedBy: CauseOfEnd | undefined;
}

export class ApprovalService {
  readonly #options: ApprovalOptions;
  readonly closing: ApprovalClosing;

  constructor(options: ApprovalOptions) {
    this.#options = options;
    this.closing = new ApprovalClosing(options);
  }

  isDemanded(action: ApprovalAction): boolean {
    return this.#options.demanded.has(action);
  }

  /**
   * Stores a command until a second person decides. Throws `approval_pending` when the subject has a request already.
   */
  async request(tx: Transaction, command: RequestedCommand): Promise<RequestedApproval> {
    const { action, operationId, merchantId, by, subject, payload } = command;
    const request = {
      merchantId,
      action,
      operationId,
      subject: subject.subject,
      version: subject.version,
      approvalId: newMerchantPublicId('apr', merchantId),
      records: subject.records ?? [subject.subject],
      requestedBy: by.actor.operatorId,
      ...(await store.readRequestTimes(tx, this.#options.lifetimeHours)),
    };
    const sealed = this.#options.seals.sealPayload(request, payload);
    let approval: Approval | undefined;
    // A request that another transaction commits in between is found by the next round.
    while (!approval) {
      await this.#refusePending(tx, command);
      approval = await store.addRequest(tx, request, sealed);
    }
    await auditApproval(tx, by, approval, 'approval.requested');
    return approval;
  }

  /**
   * Finds the pending requests that concern these records, by record: of all actions, or of these. The oldest of
   * several is shown.
   */
  async pendingOn(
    database: Queryable,
    records: readonly string[],
    actions?: readonly ApprovalAction[],
  ): Promise<Map<string, PendingApproval>> {
    const found = records.length === 0 ? [] : await store.listPending(database, records);
    const approvals = actions ? found.filter(({ action }) => actions.includes(action)) : found;
    const pending = new Map<string, PendingApproval>();
    for (const { approval, requestedBy } of (await withNames(database, approvals)).reverse()) {
      for (const record of approval.records) pending.set(record, { ...approval, requestedBy });
    }
    return pending;
  }

  async list(
    database: Queryable,
    query: ApprovalQuery,
  ): Promise<{ listed: ListedApproval[]; next: ApprovalPlace | undefined }> {
    const { approvals, next } = await listApprovals(database, query);
    return { listed: await withNames(database, approvals), next };
  }

  /** Throws `approval_not_found`. */
  async look(database: Queryable, reader: OperatorActor, id: string): Promise<ApprovalFile> {
    const found = await store.findApproval(database, ...placeOf(id));
    if (!found) throw refusals.approvalNotFound();
    const { approval, sealedPayload, sealedReason } = found;
    const [listed] = await withNames(database, [approval]);
    if (!listed) throw refusals.approvalNotFound();
    const role = this.#options.roleFor(approval.operationId);
    const mayRead = role !== undefined && mayAct(reader, role);
    return {
      ...listed,
      payload: mayRead && sealedPayload ? this.#options.seals.openPayload(approval, sealedPayload) : undefined,
      reason: mayRead && sealedReason ? this.#options.seals.openReason(approval, sealedReason) : undefined,
      outdatedBy: approval.state === 'outdated' ? await causeOf(database, approval) : undefined,
    };
  }

  /** What the operator would run by approving; undefined when that is not possible. `approve` then says why. */
  async payloadFor(
    database: Queryable,
    approver: OperatorActor,
    id: string,
  ): Promise<{ approval: Approval; payload: string } | undefined> {
    const { approval, payload } = await this.look(database, approver, id);
    const isOwn = approval.requestedBy === approver.operatorId;
    if (payload === undefined || isOwn || approval.state !== 'pending') return undefined;
    return { approval, payload };
  }

  /**
   * Runs the stored command and ends the request, in one transaction. Throws `approval_not_found`, `approval_decided`,
   * `approval_expired`, `approval_own`, `role_missing`, `approval_not_independent`, `approval_payload_altered`,
   * `approval_void`, `approval_stale`, or what the command throws; the request is still pending then.
   */
  async approve(
    tx: Transaction,
    by: ByOperator,
    id: string,
    command: ReadyCommand | undefined,
  ): Promise<ListedApproval> {
    const { approval, sealedPayload } = await this.#lockToDecide(tx, by, id);
    const payload = sealedPayload && this.#options.seals.openPayload(approval, sealedPayload);
    if (payload === undefined) throw refusals.isAltered();
    if (await this.closing.isVoid(tx, approval)) throw refusals.isVoided();
    await requireIndependence(tx, by, approval);
    if (command?.payload !== payload) throw refusals.isStale();
    const subjectNow = await command.review(tx);
    if (!isStillAbout(approval, subjectNow, await command.merchantOf(tx))) throw refusals.isStale();
    const { path, secretAnswer } = await command.run(tx);
    const ended = await store.endApproval(tx, approval, {
      state: 'approved',
      decidedBy: by.actor.operatorId,
      resultPath: path,
      sealedAnswer: secretAnswer === undefined ? undefined : this.#options.seals.sealAnswer(approval, secretAnswer),
    });
    return this.#ended(tx, by, ended);
  }

  /**
   * Fetches the answer of an approved command, which contains a secret: only who asked, once, within 24 hours. Throws
   * `approval_not_found`, `approval_not_own` and `approval_without_answer`.
   */
  async fetchAnswer(tx: Transaction, by: ByOperator, id: string): Promise<Record<string, unknown>> {
    const found = await store.lockApproval(tx, ...placeOf(id));
    if (!found) throw refusals.approvalNotFound();
    const { approval, sealedAnswer } = found;
    if (approval.requestedBy !== by.actor.operatorId) throw refusals.isNotOwn();
    if (!sealedAnswer) throw refusals.hasNoAnswer();
    await store.forgetAnswer(tx, approval);
    await auditApproval(tx, by, approval, 'approval.answer_fetched');
    return JSON.parse(this.#options.seals.openAnswer(approval, sealedAnswer)) as Record<string, unknown>;
  }

  /** Throws as `approve` does, except for what only running the command needs. */
  async refuse(tx: Transaction, by: ByOperator, id: string, reason: string): Promise<ListedApproval> {
    const { approval } = await this.#lockToDecide(tx, by, id);
    const sealedReason = this.#options.seals.sealReason(approval, reason);
    const ending = { state: 'refused', decidedBy: by.actor.operatorId, sealedReason } as const;
    return this.#ended(tx, by, await store.endApproval(tx, approval, ending));
  }

  /** Throws `approval_not_found`, `approval_not_own`, `approval_decided`, `approval_expired` or `approval_void`. */
  async withdraw(tx: Transaction, by: ByOperator, id: string): Promise<ListedApproval> {
    const { approval } = await lockPendingApproval(tx, id);
    if (approval.requestedBy !== by.actor.operatorId) throw refusals.isNotOwn();
    return this.#ended(tx, by, await store.endApproval(tx, approval, { state: 'withdrawn' }));
  }

  /** The approval was refused as stale: the request is closed, so that nobody tries again. */
  async closeOutdated(tx: Transaction, id: string): Promise<void> {
    const [merchantId, approvalId] = placeOf(id);
    await this.closing.close(tx, { merchantId, approvalId });
  }

  /**
   * Throws `approval_pending`, unless the request that is in the way is over or outdated: then it ends it. Another one
   * is not locked, because whoever approves it holds its row and waits for the record that this transaction has
   * locked.
   */
  async #refusePending(tx: Transaction, { merchantId, action, subject }: RequestedCommand): Promise<void> {
    const approval = await store.findPendingRequest(tx, merchantId, action, subject.subject);
    if (!approval) return;
    if (approval.state !== 'pending' || (await this.closing.isVoid(tx, approval))) {
      await this.closing.endIfOver(tx, approval);
      return;
    }
    if (approval.version !== subject.version) {
      await this.closing.close(tx, approval);
      return;
    }
    const requester = await findOperator(tx, approval.requestedBy);
    throw refusals.alreadyPending(approval, requester?.login ?? String(approval.requestedBy));
  }

  async #lockToDecide(tx: Transaction, by: ByOperator, id: string): Promise<store.SealedApproval> {
    const found = await lockPendingApproval(tx, id);
    const { approval } = found;
    if (approval.requestedBy === by.actor.operatorId) throw refusals.isOwn();
    const role = this.#options.roleFor(approval.operationId);
    if (role !== undefined && !mayAct(by.actor, role)) throw refusals.roleMissing(role);
    return found;
  }

  async #ended(tx: Transaction, by: By, approval: Approval): Promise<ListedApproval> {
    await auditApproval(tx, by, approval, `approval.${approval.state}`);
    const [listed] = await withNames(tx, [approval]);
    if (!listed) throw new Error('an approval has no names');
    return listed;
  }
}

/** Throws `approval_not_independent` when both accounts may be one person. */
async function requireIndependence(tx: Transaction, by: ByOperator, { requestedBy }: Approval): Promise<void> {
  const [requester, approver] = [await getOperator(tx, requestedBy), await getOperator(tx, by.actor.operatorId)];
  if (!areIndependent(requester, approver)) throw refusals.accountsDepend();
}

/** Throws `approval_not_found` when the id is not that of a request. */
export async function merchantOfApproval(id: string): Promise<TenantId> {
  return placeOf(id)[0];
}

/** The id of a request names its merchant. */
function placeOf(id: string) {
  const approvalId = publicId('apr', id);
  if (!approvalId) throw refusals.approvalNotFound();
  return [tenantOfPublicId(approvalId), approvalId] as const;
}

async function lockPendingApproval(tx: Transaction, id: string): Promise<store.SealedApproval> {
  const found = await store.lockApproval(tx, ...placeOf(id));
  if (!found) throw refusals.approvalNotFound();
  if (found.approval.state !== 'pending') throw refusals.hasEnded(found.approval);
  return found;
}
