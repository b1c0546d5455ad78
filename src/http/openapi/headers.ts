/** The header fields of answers, described once each. */
import type { Components, JsonObject } from './components.js';

interface AnswerHeader {
  /** The name of the component. The key is the header itself. */
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

const answerHeaders = {
  'X-Request-Id': {
    name: 'RequestId',
    description: 'The id of this request in our log. The one that you sent, if you sent one.',
    example: 'req_4f1c2a9be07d5386a1c0ffee',
  },
  RateLimit: {
    name: 'RateLimit',
    description: 'How many requests are left (`r`), and in how many seconds the limit resets (`t`).',
    example: '"requests";r=599;t=60',
  },
  'RateLimit-Policy': {
    name: 'RateLimitPolicy',
    description: 'The limit: so many requests (`q`) in so many seconds (`w`).',
    example: '"requests";q=600;w=60',
  },
  'Retry-After': {
    name: 'RetryAfter',
    description: 'Seconds to wait before you send the request again.',
    example: '1',
  },
  'Idempotent-Replayed': {
    name: 'IdempotentReplayed',
    description:
      '`true` when this is the stored answer of an earlier request with the same Idempotency-Key. Otherwise absent.',
    example: 'true',
  },
  Link: {
    name: 'Link',
    description: 'The address of the next page, as `rel="next"`. Absent on the last page.',
    example: '</merchant/users?limit=100&after=42>; rel="next"',
  },
  'WWW-Authenticate': {
    name: 'WwwAuthenticate',
    description: 'The authentication scheme to use.',
    example: 'Bearer',
  },
} as const satisfies Record<string, AnswerHeader>;

export type AnswerHeaderName = keyof typeof answerHeaders;

const headersOfStatus: Readonly<Record<number, readonly AnswerHeaderName[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

export function headersOf(
  status: number,
  components: Components,
  moreFields: readonly AnswerHeaderName[] = [],
): JsonObject {
  const fields: AnswerHeaderName[] = ['X-Request-Id', ...(headersOfStatus[status] ?? []), ...moreFields];
  return Object.fromEntries(fields.map((field) => [field, headerOf(field, components)]));
}

function headerOf(field: AnswerHeaderName, components: Components): JsonObject {
  const { name, description, example } = answerHeaders[field];
  return components.refer('headers', name, { description, schema: { type: 'string' }, example });
}
