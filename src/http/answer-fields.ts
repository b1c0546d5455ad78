/** The header fields that every answer carries, and the short way out for an answer in JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitFields } from './traffic/rate-limit.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller was counted. */
    rateLimit: RateLimitFields | undefined;
  }
}

const alwaysThere = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const strictTransport = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

export class AnswerFields {
  readonly standing: Readonly<Record<string, string>>;
  #list: readonly string[];

  constructor({ live }: { readonly live: boolean }) {
    this.standing = { ...alwaysThere, ...(live ? strictTransport : {}) };
    this.#list = Object.entries(this.standing).flat();
  }

  /** From now on each answer asks its client to come back on a new connection. */
  askToComeBack(): void {
    this.#list = [...this.#list, 'connection', 'close'];
  }

  /** Names and values in turns, as Node takes them. */
  of(request: FastifyRequest): string[] {
    const { rateLimit } = request;
    const list = [...this.#list, 'x-request-id', request.id];
    if (rateLimit) list.push('ratelimit-policy', rateLimit.policy, 'ratelimit', rateLimit.left);
    return list;
  }

  /** What the answer says of itself stays. */
  addTo(request: FastifyRequest, reply: FastifyReply): void {
    const list = this.of(request);
    for (let index = 0; index < list.length; index += 2) {
      const name = list[index] as string;
      if (!reply.hasHeader(name)) reply.header(name, list[index + 1]);
    }
  }
}

export type Send = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  further?: readonly string[],
) => void;

export const replayed = ['idempotent-replayed', 'true'];

/** Past Fastify's own sending, which goes through the header fields several times and has nothing to do for us here. */
export function senderOf(fields: AnswerFields, contentType: string): Send {
  return (request, reply, body, further = []) => {
    request.slot?.giveBack();
    const list = fields.of(request);
    list.push(...further, 'content-length', String(Buffer.byteLength(body)));
    if (body !== '') list.push('content-type', contentType);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, list);
    if (body !== '') raw.write(body);
    // At once and in one write: `end(body)` would hand over two pieces, the second one empty, at a tenth of the cost
    // of an empty request.
    raw.socket?.uncork();
    raw.end();
  };
}
