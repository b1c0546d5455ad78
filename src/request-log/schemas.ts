/** The shapes of the request log on the wire. */
import Type from 'typebox';
import { pageLimit, pageStart, time } from '../http/shapes.js';
import { statusClasses } from './logged-request.js';

export const RequestQuery = Type.Object({
  status: Type.Optional(Type.Enum([...statusClasses], { description: 'Only answers of this class.' })),
  method: Type.Optional(
    Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'Only requests with this method.' }),
  ),
  limit: pageLimit(100, 1000),
  after: pageStart('^[1-9][0-9]{0,14}$'),
});

export const RequestShape = Type.Object(
  {
    id: Type.String({ description: 'The number of the request in this log.' }),
    requestId: Type.String({ description: 'What the answer had in `X-Request-Id`.' }),
    receivedAt: time('When it arrived.'),
    method: Type.String({ description: 'The method.' }),
    path: Type.String({ description: 'The path, with ids of ours. Anything else stands as `{name}`.' }),
    status: Type.Integer({ description: 'The status of the answer. 499: you had gone before it.' }),
    code: Type.Optional(Type.String({ description: 'The code of the error. Absent: there was none.' })),
    durationMs: Type.Number({ description: 'How long it took us, until the end of the answer.' }),
    isReplay: Type.Boolean({
      description: 'The answer was that of an earlier request with the same `Idempotency-Key`.',
    }),
  },
  {
    title: 'LoggedRequest',
    examples: [
      {
        id: '48210',
        requestId: 'req_5f1c9a2e7b3d4c6a8f0e1d2b',
        receivedAt: '2026-11-15T09:30:00.000Z',
        method: 'POST',
        path: '/orders',
        status: 409,
        code: 'rate_expired',
        durationMs: 7.4,
        isReplay: false,
      },
    ],
  },
);
