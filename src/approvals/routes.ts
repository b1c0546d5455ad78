/** Routes for operators: requests that wait for a second person. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage, placeAfter } from '../http/answers/answer.js';
import type { RestoredCommand, StoredCommands } from '../http/commands/stored-command.js';
import { command, type Route, read } from '../http/route.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { ReadyCommand } from './approval.js';
import type { ListedApproval } from './names.js';
import { ApprovalFileShape, ApprovalQueryShape, ApprovalShape, ApprovedAnswerShape, RefusalShape } from './schemas.js';
import { type ApprovalFile, type ApprovalService, merchantOfApproval } from './service.js';

export interface ApprovalRouteOptions {
  readonly database: Database;
  readonly approvals: ApprovalService;
  readonly commands: StoredCommands;
}

const described = { tag: 'Approvals for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const ApprovalPath = Type.Object({ approvalId: Type.String({ description: 'The id of the request.' }) });
/** What the three commands on a request have in common. The answer contains logins. */
const decision = {
  ...described,
  method: 'POST',
  access: { token: 'operator', role: 'reviewer' },
  subject: (call: { params: { approvalId: string } }) => merchantOfApproval(call.params.approvalId),
  idempotency: { keepForHours: 24, isSecret: true },
  params: ApprovalPath,
  answer: ApprovalShape,
} as const;
const whenEnded = [
  'approval_not_found',
  'approval_decided',
  'approval_expired',
  'approval_void',
  'approval_stale',
] as const;

export function approvalRoutes(options: ApprovalRouteOptions): Route[] {
  return [
    listRoute(options),
    fileRoute(options),
    approveRoute(options),
    refuseRoute(options),
    withdrawRoute(options),
    answerRoute(options),
  ];
}

function listRoute({ approvals, commands }: ApprovalRouteOptions): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/approvals',
    operationId: 'listApprovals',
    summary: 'List requests for approval',
    description: 'The header `Link` names the next page.',
    returns: 'A page of requests.',
    query: ApprovalQueryShape,
    answer: Type.Array(ApprovalShape),
    async run(call, database) {
      const { state = 'pending', action, after, limit = 50 } = call.query;
      const query = { state, action, after: placeAfter(after), limit };
      const { listed, next } = await approvals.list(database, query);
      const items = listed.map((approval) => encode(commands, approval));
      return new ListPage(items, next && nextPage('/operator/approvals', call.query, `${next.atMicros}.${next.id}`));
    },
  });
}

function fileRoute({ approvals, commands }: ApprovalRouteOptions): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/approvals/{approvalId}',
    operationId: 'getApproval',
    summary: 'Get a request for approval',
    returns: 'The request for approval.',
    params: ApprovalPath,
    answer: ApprovalFileShape,
    refusals: ['approval_not_found'],
    run: async (call, database) =>
      encodeFile(commands, await approvals.look(database, call.caller, call.params.approvalId)),
  });
}

function approveRoute({ database, approvals, commands }: ApprovalRouteOptions): Route {
  return command({
    ...decision,
    path: '/operator/approvals/{approvalId}/approve',
    operationId: 'approveRequest',
    asksPassword: true,
    summary: 'Approve a request of another operator',
    description:
      'Carries out exactly what was asked for, in one transaction with your approval. Needs the role in `requiredRole`. When the action is refused, for example because of a conflict, you get its error and the request stays pending. When the record has changed since the request, nothing is done and the request is closed as `outdated`.',
    returns: 'The approved request.',
    refusals: [...whenEnded, 'approval_own', 'role_missing', 'approval_not_independent', 'approval_payload_altered'],
    moreRefusals: () => commands.refusals(),
    async prepare(call): Promise<Prepared | undefined> {
      const found = await approvals.payloadFor(database, call.caller, call.params.approvalId);
      if (!found) return undefined;
      const { approval, payload } = found;
      const { caller, requestId, address } = call;
      const { approvalId, requestedBy } = approval;
      const by = { caller, requestId, address, approval: { approvalId, requestedBy } };
      const restored = commands.restore(payload, by);
      return restored && { payload, restored, result: await restored.prepare() };
    },
    async run(call, tx, prepared) {
      const { approvalId } = call.params;
      return encode(commands, await approvals.approve(tx, call.by, approvalId, readyOf(prepared)));
    },
    afterCommit: async (_call, afterwards, prepared) => prepared?.restored.afterCommit(afterwards, prepared.result),
    async onRefused(call, error, tx) {
      if (error.code === 'approval_stale') await approvals.closeOutdated(tx, call.params.approvalId);
    },
  });
}

function refuseRoute({ approvals, commands }: ApprovalRouteOptions): Route {
  return command({
    ...decision,
    path: '/operator/approvals/{approvalId}/refuse',
    operationId: 'refuseRequest',
    summary: 'Refuse a request of another operator',
    description: 'Nothing is done, and the reason is kept. Needs the role in `requiredRole`.',
    returns: 'The refused request.',
    body: RefusalShape,
    refusals: [...whenEnded, 'approval_own', 'role_missing'],
    run: async (call, tx) =>
      encode(commands, await approvals.refuse(tx, call.by, call.params.approvalId, call.body.reason)),
  });
}

function withdrawRoute({ approvals, commands }: ApprovalRouteOptions): Route {
  return command({
    ...decision,
    path: '/operator/approvals/{approvalId}/withdraw',
    operationId: 'withdrawRequest',
    summary: 'Withdraw a request that you made',
    returns: 'The withdrawn request.',
    refusals: [...whenEnded, 'approval_not_own'],
    run: async (call, tx) => encode(commands, await approvals.withdraw(tx, call.by, call.params.approvalId)),
  });
}

function answerRoute({ approvals }: ApprovalRouteOptions): Route {
  return command({
    ...decision,
    path: '/operator/approvals/{approvalId}/fetch-answer',
    operationId: 'fetchApprovedAnswer',
    asksPassword: true,
    summary: 'Fetch the secret that came of your approved request',
    description:
      'For what you asked for, once it was approved: a merchant’s secret, or an operator’s one-time code. It is shown once, within 24 hours of the approval. Send an Idempotency-Key: if the answer is lost, the same request gets it again.',
    returns: 'The answer that the command would have given you at once.',
    answer: ApprovedAnswerShape,
    refusals: ['approval_not_found', 'approval_not_own', 'approval_without_answer'],
    async run({ by, params: { approvalId } }, tx) {
      return { approvalId, answer: await approvals.fetchAnswer(tx, by, approvalId) };
    },
  });
}

/** The command, and the result of the slow work that it does before its transaction. */
interface Prepared {
  readonly payload: string;
  readonly restored: RestoredCommand;
  readonly result: unknown;
}

function readyOf(prepared: Prepared | undefined): ReadyCommand | undefined {
  if (!prepared) return undefined;
  const { payload, restored, result } = prepared;
  return {
    payload,
    merchantOf: (tx) => restored.merchantOf(tx),
    review: (tx) => restored.review(tx),
    run: async (tx: Transaction) => restored.resultOf(await restored.run(tx, result)),
  };
}

function encode(commands: StoredCommands, listed: ListedApproval): Static<typeof ApprovalShape> {
  const { approval, clientId, requestedBy, decidedBy: decider } = listed;
  const { approvalId, action, subject, state, operationId, requestedAt, expiresAt, endedAt, resultPath, hasAnswer } =
    approval;
  return {
    approvalId,
    action,
    subject,
    state,
    requestedBy,
    merchant: clientId ?? null,
    requiredRole: commands.roleFor(operationId) ?? null,
    requestedAt: requestedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    resultPath: resultPath ?? null,
    hasAnswer,
    ...(decider === undefined ? {} : { decidedBy: decider }),
    ...(endedAt ? { endedAt: endedAt.toISOString() } : {}),
  };
}

function encodeFile(commands: StoredCommands, file: ApprovalFile): Static<typeof ApprovalFileShape> {
  const { payload, reason, outdatedBy } = file;
  const shown = payload === undefined ? undefined : commands.show(payload);
  return {
    ...encode(commands, file),
    request: shown?.request ?? null,
    note: shown?.note ?? null,
    changes: shown?.changes ? [...shown.changes] : null,
    reason: reason ?? null,
    outdatedBy: outdatedBy ? { ...outdatedBy, at: outdatedBy.at.toISOString() } : null,
  };
}
