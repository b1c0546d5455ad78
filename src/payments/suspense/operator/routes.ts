/** Routes for operators: money that no order takes. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage, placeAfter } from '../../../http/answers/answer.js';
import { type FindPending, pendingField } from '../../../http/four-eyes.js';
import { auditedRead, type Route, read } from '../../../http/route.js';
import { amountToLiteral } from '../../../money/literal.js';
import { encodeMatch } from '../../../orders/operator/wire.js';
import { publicState } from '../../../orders/order/transitions.js';
import { recordOf, viewOfSuspense } from '../suspense.js';
import { suspenseCommandRoutes } from './command-routes.js';
import { SuspenseFileShape, SuspensePath, SuspenseQueryShape, SuspenseShape } from './schemas.js';
import type { SuspenseFile, SuspenseService } from './service.js';

const described = { tag: 'Payments for operators' } as const;

export function suspenseRoutes(suspense: SuspenseService, findPending: FindPending): Route[] {
  return [listRoute(suspense), fileRoute(suspense, findPending), ...suspenseCommandRoutes(suspense)];
}

function listRoute(suspense: SuspenseService): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/operator/suspense',
    operationId: 'listSuspense',
    summary: 'List money that no order takes',
    description: 'Contains no name. The header `Link` names the next page.',
    returns: 'A page of suspense records, the oldest first.',
    access: { token: 'operator', role: 'viewer' },
    query: SuspenseQueryShape,
    answer: Type.Array(SuspenseShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { merchant, reason, currency, state, after, limit = 50 } = call.query;
      const query = { merchant, reason, currency, state, after: placeAfter(after), limit };
      const { records, next } = await suspense.list(database, query);
      const items = records.map(({ record, clientId }) => viewOfSuspense(record, clientId));
      return new ListPage(items, next && nextPage('/operator/suspense', call.query, `${next.atMicros}.${next.id}`));
    },
  });
}

function fileRoute(suspense: SuspenseService, findPending: FindPending): Route {
  return auditedRead({
    ...described,
    method: 'GET',
    path: '/operator/suspense/{suspenseId}',
    operationId: 'getSuspense',
    summary: 'Get a suspense record with its payer and the orders it could be for',
    returns: 'The record, the movement, the payer, candidates and history.',
    access: { token: 'operator', role: 'reviewer' },
    params: SuspensePath,
    answer: SuspenseFileShape,
    refusals: ['suspense_not_found'],
    async run(call, tx) {
      const file = await suspense.look(tx, call.by, call.params.suspenseId);
      const record = recordOf(file.record);
      const pending = await findPending(tx, [record]);
      return { ...encodeFile(file), ...pendingField(pending.get(record)) };
    },
  });
}

function encodeFile(file: SuspenseFile): Static<typeof SuspenseFileShape> {
  const { record, clientId, payment, payer, candidates, steps, findings } = file;
  const { accountId, bankReference, bookedAt } = payment;
  return {
    ...viewOfSuspense(record, clientId),
    accountId,
    bankReference,
    bookedAt: bookedAt.toISOString(),
    payer: payer ? { name: payer.name, account: payer.account ?? null, remittanceText: payer.remittanceText } : null,
    candidates: candidates.map(({ order, missing, reasons }) => ({
      orderId: order.orderId,
      reasons: [...reasons],
      status: publicState(order.state),
      missing: Number(amountToLiteral(missing)),
      createdAt: order.createdAt.toISOString(),
    })),
    screening: findings
      ? {
          areListsUsable: findings.areListsUsable,
          isNameUnreadable: findings.isNameUnreadable,
          isOrderFrozen: findings.isOrderFrozen,
          isBlocked: findings.isBlocked,
          likeBlocked: [...findings.likeBlocked],
          hits: findings.hits.map(({ hitId }) => hitId),
          matches: findings.matches.map(encodeMatch),
        }
      : null,
    history: steps.map(({ event, state, amount, orderId, login, note, takenAt }) => ({
      event,
      state,
      amount: Number(amountToLiteral(amount)),
      orderId: orderId ?? null,
      by: login ?? null,
      note: note ?? null,
      at: takenAt.toISOString(),
    })),
  };
}
