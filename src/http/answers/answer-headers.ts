/** Adds the headers of every answer, and sends JSON fast. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitFields } from '../traffic/rate-limit.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after the rate limit has counted the request. */
    rateLimit: RateLimitFields | undefined;
  }
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const transportSecurity = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

export class AnswerHeaders {
  /** The headers that are the same in every answer. */
  readonly constant: Readonly<Record<string, string>>;
  #list: readonly string[];

  constructor({ live }: { readonly live: boolean }) {
    this.constant = { ...securityHeaders, ...(live ? transportSecurity : {}) };
    this.#list = Object.entries(this.constant).flat();
  }

  /** From now on each answer asks the client to close its connection. */
  closeConnections(): void {
    this.#list = [...this.#list, 'connection', 'close'];
  }

  /** Returns names and values alternately, as Node's `writeHead` takes them. */
  of(request: FastifyRequest): string[] {
    const { rateLimit } = request;
    const list = [...this.#list, 'x-request-id', request.id];
    if (rateLimit) list.push('ratelimit-policy', rateLimit.policy, 'ratelimit', rateLimit.left);
    return list;
  }

  /** Keeps the headers that the answer has set itself. */
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
  moreHeaders?: readonly string[],
) => void;

export const replayedHeader = ['idempotent-replayed', 'true'];

/**
 * Sends with the status of the reply, which is 200 unless it was set. Writes to Node's response directly: Fastify's `send`
 * goes through the headers several times (decision 0025).
 */
export function senderOf(fields: AnswerHeaders, contentType: string): Send {
  return (request, reply, body, moreHeaders = []) => {
    request.slot?.end();
    const list = fields.of(request);
    list.push(...moreHeaders, 'content-length', String(Buffer.byteLength(body)));
    if (body !== '') list.push('content-type', contentType);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(reply.statusCode, list);
    if (body !== '') raw.write(body);
    // Makes one write to the socket. `end(body)` would make two, which costs a tenth of an empty request.
    raw.socket?.uncork();
    raw.end();
  };
}
