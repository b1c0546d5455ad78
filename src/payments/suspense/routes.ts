/** Routes for operators: money that no order takes. */
import Type, { type Static } from 'typebox';
import { ListPage } from '../../http/answer.js';
import { command, type Route, read } from '../../http/route.js';
import { SuspenseFileShape, SuspenseQueryShape, SuspenseShape } from './schemas.js';
import type { SuspenseFile, SuspenseService } from './service.js';
import { viewOfSuspense } from './suspense.js';
import type { SuspensePlace } from './suspense-store.js';

const described = { tag: 'Payments for operators' } as const;

export function suspenseRoutes(suspense: SuspenseService): Route[] {
  return [listRoute(suspense), fileRoute(suspense)];
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
      const { merchant, reason, currency, after, limit = 50 } = call.query;
      const query = { merchant, reason, currency, after: placeOf(after), limit };
      const { records, next } = await suspense.list(database, query);
      const items = records.map(({ record, clientId }) => viewOfSuspense(record, clientId));
      return new ListPage(items, next && nextAddress(call.query, next));
    },
  });
}

function fileRoute(suspense: SuspenseService): Route {
  return command({
    ...described,
    method: 'GET',
    path: '/operator/suspense/{suspenseId}',
    operationId: 'getSuspense',
    summary: 'Get a suspense record with its payer',
    // Each look is recorded, so none is answered from a stored answer.
    idempotency: false,
    description: 'Each request is recorded in the audit log.',
    returns: 'The record, the movement and the payer.',
    access: { token: 'operator', role: 'reviewer' },
    params: Type.Object({ suspenseId: Type.String({ description: 'The id of the record.' }) }),
    answer: SuspenseFileShape,
    refusals: ['suspense_not_found'],
    run: async (call, tx) => encodeFile(await suspense.look(tx, call.by, call.params.suspenseId)),
  });
}

function encodeFile({ record, clientId, payment, payer }: SuspenseFile): Static<typeof SuspenseFileShape> {
  const { accountId, bankReference, bookedAt } = payment;
  return {
    ...viewOfSuspense(record, clientId),
    ...{ accountId, bankReference, bookedAt: bookedAt.toISOString() },
    payer: payer
      ? { name: payer.name, account: payer.account ?? null, remittanceText: payer.remittanceText }
      : null,
  };
}

function placeOf(after: string | undefined): SuspensePlace | undefined {
  const [atMicros, id] = after?.split('.') ?? [];
  return atMicros === undefined || id === undefined ? undefined : { atMicros, id };
}

function nextAddress(query: Static<typeof SuspenseQueryShape>, next: SuspensePlace): string {
  const fields = Object.entries({ ...query, after: `${next.atMicros}.${next.id}` });
  return `/operator/suspense?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`;
}
