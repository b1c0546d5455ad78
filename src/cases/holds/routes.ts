/** Routes for operators: legal holds. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { auditedRead, command, type Route, read } from '../../http/route.js';
import { userId } from '../../ids.js';
import { clientIdsOf, merchantIdOf } from '../../merchants/service.js';
import { loginsOf } from '../../operators/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { HoldFileShape, HoldPath, HoldQueryShape, HoldShape, NewHoldShape, ReleaseShape } from './schemas.js';
import { type Hold, type HoldFile, type HoldService, recordOf } from './service.js';

const described = { tag: 'Legal holds', access: { token: 'operator', role: 'reviewer' } } as const;
const writes = { ...described, subject: 'instance', idempotency: { keepForHours: 24, isSecret: true } } as const;

export function holdRoutes(holds: HoldService, findPending: FindPending): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/operator/holds',
      operationId: 'listHolds',
      summary: 'List legal holds',
      description: 'Contains no reason. The header `Link` names the next page.',
      returns: 'A page of holds, by id.',
      query: HoldQueryShape,
      answer: Type.Array(HoldShape),
      async run({ query }, database) {
        const { state = 'active', after = '', limit = 50 } = query;
        const isActive = state === 'all' ? undefined : state === 'active';
        const found = await holds.list(database, isActive, { after, limit });
        const pending = await findPending(database, found.map(recordOf));
        const encoded = await encodeAll(database, found);
        const items = found.map((hold, index) => ({
          ...(encoded[index] as Static<typeof HoldShape>),
          ...pendingField(pending.get(recordOf(hold))),
        }));
        const last = found.length === limit ? found.at(-1) : undefined;
        return new ListPage(items, last && nextPage('/operator/holds', query, last.holdId));
      },
    }),
    command({
      ...writes,
      method: 'POST',
      path: '/operator/holds',
      operationId: 'placeHold',
      summary: 'Place a legal hold on the data of a user',
      description:
        'What the law wants kept of the user stays, also after the time for it has ended, until two operators release the hold. The merchant and the user notice nothing of it. A user whom an open case names is held already.',
      returns: 'The hold.',
      body: NewHoldShape,
      answer: HoldFileShape,
      refusals: ['merchant_not_found', 'user_not_found'],
      async run({ body, by }, tx) {
        const merchantId = await merchantIdOf(tx, body.merchant);
        return encodeFile(tx, await holds.place(tx, by, { merchantId, userId: userId(body.userId) }, body.reason));
      },
    }),
    auditedRead({
      ...described,
      method: 'GET',
      path: '/operator/holds/{holdId}',
      operationId: 'getHold',
      summary: 'Get a legal hold with its reason',
      returns: 'The hold.',
      params: HoldPath,
      answer: HoldFileShape,
      refusals: ['hold_not_found'],
      run: async ({ params, by }, tx) => encodeFile(tx, await holds.look(tx, by, params.holdId)),
    }),
    releaseRoute(holds),
  ];
}

function releaseRoute(holds: HoldService): Route {
  return command({
    ...writes,
    method: 'POST',
    path: '/operator/holds/{holdId}/release',
    operationId: 'releaseHold',
    summary: 'Release a legal hold',
    description: 'Always needs a second operator. What only the hold kept is erased within the hour.',
    fourEyes: { action: 'hold.release', review: (call, tx) => holds.reviewRelease(tx, call.params.holdId) },
    returns: 'The released hold.',
    params: HoldPath,
    body: ReleaseShape,
    answer: HoldFileShape,
    refusals: ['hold_not_found', 'hold_released'],
    run: async ({ params, body, by }, tx) => encodeFile(tx, await holds.release(tx, by, params.holdId, body.note)),
  });
}

async function encodeFile(database: Queryable, { hold, reason, note }: HoldFile) {
  const [encoded] = await encodeAll(database, [hold]);
  if (!encoded) throw new Error('a hold was not encoded');
  return { ...encoded, reason, note: note ?? null };
}

async function encodeAll(database: Queryable, holds: readonly Hold[]): Promise<Static<typeof HoldShape>[]> {
  const merchants = holds.map(({ user }) => user.merchantId);
  const [clientIds, logins] = [await clientIdsOf(database, merchants), await loginsOf(database)];
  return holds.map(({ holdId, user, placedBy, placedAt, released }) => ({
    holdId,
    merchant: clientIds.get(user.merchantId) ?? '',
    userId: user.userId,
    placedBy: logins.get(placedBy) ?? String(placedBy),
    placedAt: placedAt.toISOString(),
    releasedAt: released?.at.toISOString() ?? null,
    releasedBy: released ? (logins.get(released.by) ?? String(released.by)) : null,
  }));
}
