/** Names the merchants and operators of requests for approval. */
import type { OperatorId } from '../ids.js';
import { clientIdsOf } from '../merchants/service.js';
import { loginsOf } from '../operators/service.js';
import type { Queryable } from '../postgres/statement.js';
import type { Approval } from './approval.js';

export interface ListedApproval {
  readonly approval: Approval;
  /** The client id of the merchant; undefined when the request concerns the instance. */
  readonly clientId: string | undefined;
  /** The logins of the operators. */
  readonly requestedBy: string;
  readonly decidedBy: string | undefined;
}

export async function withNames(database: Queryable, approvals: readonly Approval[]): Promise<ListedApproval[]> {
  if (approvals.length === 0) return [];
  const owners = approvals.map(({ merchantId }) => merchantId);
  const [clientIds, logins] = [await clientIdsOf(database, owners), await loginsOf(database)];
  const loginOf = (id: OperatorId) => logins.get(id) ?? String(id);
  return approvals.map((approval) => ({
    approval,
    clientId: clientIds.get(approval.merchantId),
    requestedBy: loginOf(approval.requestedBy),
    decidedBy: approval.decidedBy && loginOf(approval.decidedBy),
  }));
}
