/** What operators see of the screening lists. */
import Type from 'typebox';
import { type Route, read } from '../http/route.js';
import { ScreeningListShape } from './schemas.js';
import type { ListStatus, ScreeningService } from './service.js';

export function screeningRoutes(service: ScreeningService): Route[] {
  return [
    read({
      tag: 'Screening for operators',
      access: { token: 'operator', role: 'viewer' },
      method: 'GET',
      path: '/operator/screening/lists',
      operationId: 'listScreeningLists',
      summary: 'List the screening lists',
      description: 'The lists in the memory of the process that answers. Each process loads its lists by itself.',
      returns: 'Every configured list, with its version and what is wrong with it.',
      answer: Type.Array(ScreeningListShape),
      run: async () => service.listStatuses().map(listStatus),
    }),
  ];
}

function listStatus({ loadedAt, writtenAt, lastError, ...status }: ListStatus) {
  return {
    ...status,
    ...(loadedAt && { loadedAt: loadedAt.toISOString() }),
    ...(writtenAt && { writtenAt: writtenAt.toISOString() }),
    ...(lastError && { lastError: { message: lastError.message, at: lastError.at.toISOString() } }),
  };
}
