/** An answer that never changes while the process runs. It is made at the first request and compressed once. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from './accepted-encoding.js';

export interface ConstantAnswer {
  readonly contentType: string;
  readonly make: () => Buffer | string | Promise<Buffer | string>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Encoding = 'br' | 'gzip' | 'identity';
interface Encoded {
  readonly bytes: Buffer;
  readonly etag: string;
}

// Level 11 takes many seconds for a bundle of megabytes. Level 6 is nearly as small.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer> | Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: (bytes) => bytes,
};

export function constantAnswer(
  answer: ConstantAnswer,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const cached = new Map<Encoding, Promise<Encoded>>();
  const encodedAs = (encoding: Encoding): Promise<Encoded> => {
    const known = cached.get(encoding) ?? encode(answer, encoding);
    cached.set(encoding, known);
    // A failure is not cached: the next request tries again.
    known.catch(() => cached.delete(encoding));
    return known;
  };
  return async (request, reply) => {
    const encoding = acceptedEncoding(request, ['br', 'gzip']);
    const { bytes, etag } = await encodedAs(encoding);
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag, ...answer.headers });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.header('content-type', answer.contentType).send(bytes);
  };
}

async function encode(answer: ConstantAnswer, encoding: Encoding): Promise<Encoded> {
  const bytes = await encoders[encoding](Buffer.from(await answer.make()));
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, etag: `"${hash.slice(0, 22)}"` };
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
}
