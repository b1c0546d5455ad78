/** Names the merchants and operators of requests for approval. */
import { instanceTenant, type MerchantId, type OperatorId } from '../ids.js';
import { listClientIdsOf } from '../merchants/service.js';
import { listOperators } from '../operators/service.js';
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
  const owners = new Set(approvals.flatMap(({ merchantId }) => merchantId || []));
  const merchants = owners.size === 0 ? [] : await listClientIdsOf(database, [...owners] as MerchantId[]);
  const clientIds = new Map(merchants.map(({ merchantId, clientId }) => [merchantId, clientId]));
  const operators = await listOperators(database);
  const logins = new Map(operators.map(({ operatorId, login }) => [operatorId, login]));
  const loginOf = (id: OperatorId) => logins.get(id) ?? String(id);
  return approvals.map((approval) => ({
    approval,
    clientId: approval.merchantId === instanceTenant ? undefined : clientIds.get(approval.merchantId),
    requestedBy: loginOf(approval.requestedBy),
    decidedBy: approval.decidedBy && loginOf(approval.decidedBy),
  }));
}
