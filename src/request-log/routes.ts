/** The route by which merchants see their last requests. */
import Type, { type Static } from 'typebox';
import { RemesaError } from '../errors.js';
import { ListPage, nextPage } from '../http/answers/answer.js';
import { type Route, read } from '../http/route.js';
import { type LoggedRequest, statusesOf } from './logged-request.js';
import type { RequestLog } from './request-log.js';
import { RequestQuery, RequestShape } from './schemas.js';

const usualPage = 100;

/** Without a log, because the operator keeps none, the route says so. */
export function requestLogRoutes(requestLog: RequestLog | undefined): Route[] {
  return [
    read({
      tag: 'Requests',
      method: 'GET',
      path: '/merchant/requests',
      operationId: 'listRequests',
      summary: 'List your last requests',
      description:
        'What your programs asked and what we answered, for 7 days, and at most the last 1,000: no bodies, no queries. ' +
        'A request appears within 2 seconds. Left out are requests whose token was not valid or whose address does not exist, answered polls (`GET /events`, this list), and some of more than 125 a second. ' +
        'The header `Link` names the next page.',
      returns: 'A page of requests, the newest first.',
      access: { token: 'merchant', scope: 'webhooks', user: 'none' },
      query: RequestQuery,
      answer: Type.Array(RequestShape),
      refusals: ['request_log_off'],
      async run({ caller: { merchantId }, query }, database) {
        if (!requestLog) throw requestLogOff();
        const { limit = usualPage, after, status, method } = query;
        const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
        const filter = { before, statuses: statusesOf(status), method };
        const requests = await requestLog.list(database, merchantId, filter, limit);
        const last = requests.length < limit ? undefined : requests.at(-1);
        const next = last && nextPage('/merchant/requests', query, String(last.requestNo));
        return new ListPage(requests.map(encode), next);
      },
    }),
  ];
}

function requestLogOff(): RemesaError {
  return new RemesaError(
    'not_found',
    'request_log_off',
    'This service keeps no list of requests. Ask its operator about one of them by its requestId.',
  );
}

function encode(request: LoggedRequest): Static<typeof RequestShape> {
  const { requestNo, requestId, receivedAt, method, path, status, code, ms, isReplay } = request;
  return {
    id: String(requestNo),
    requestId,
    receivedAt: receivedAt.toISOString(),
    method,
    path,
    status,
    ...(code === undefined ? {} : { code }),
    durationMs: Math.round(ms * 100) / 100,
    isReplay,
  };
}
