/** The header fields of answers, described once each. */
import type { Components, JsonObject } from './openapi-components.js';

interface AnswerHeader {
  /** Of the component; the field itself is the key. */
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

const answerHeaders = {
  'X-Request-Id': {
    name: 'RequestId',
    description: 'Names this request in our log. Your own, when you sent one.',
    example: 'req_4f1c2a9be07d5386a1c0ffee',
  },
  RateLimit: {
    name: 'RateLimit',
    description: 'What is left (`r`) and in how many seconds it is full again (`t`).',
    example: '"requests";r=599;t=60',
  },
  'RateLimit-Policy': {
    name: 'RateLimitPolicy',
    description: 'How many requests (`q`) in how many seconds (`w`).',
    example: '"requests";q=600;w=60',
  },
  'Retry-After': {
    name: 'RetryAfter',
    description: 'Seconds to wait before the request is sent again.',
    example: '1',
  },
  'Idempotent-Replayed': {
    name: 'IdempotentReplayed',
    description:
      'Present, as `true`, on the kept answer of an earlier request with the same Idempotency-Key.',
    example: 'true',
  },
  'WWW-Authenticate': {
    name: 'WwwAuthenticate',
    description: 'The kind of token that is wanted.',
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
  further: readonly AnswerHeaderName[] = [],
): JsonObject {
  const fields: AnswerHeaderName[] = ['X-Request-Id', ...(headersOfStatus[status] ?? []), ...further];
  return Object.fromEntries(fields.map((field) => [field, headerOf(field, components)]));
}

function headerOf(field: AnswerHeaderName, components: Components): JsonObject {
  const { name, description, example } = answerHeaders[field];
  return components.refer('headers', name, { description, schema: { type: 'string' }, example });
}
