/** Sends answers of any length in constant memory: chunks are made as fast as the caller reads them. */
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from './accepted-encoding.js';

export interface StreamedAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: JSON. Other types are not compressed: photographs do not get smaller. */
  readonly mediaType?: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** The headers of a document that browsers save instead of showing, so that they run no script in it. */
export function attachment(fileName: string): Record<string, string> {
  return {
    'content-disposition': `attachment; filename="${fileName}"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'no-store',
  };
}

/** Makes the first chunk before the status is sent. An error until then is answered as an error. */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamedAnswer,
): Promise<FastifyReply> {
  const chunks = answer.chunks[Symbol.asyncIterator]();
  // For HEAD, Fastify would read the whole answer and discard it.
  const first: IteratorResult<Chunk> =
    request.method === 'HEAD' ? { done: true, value: undefined } : await chunks.next();
  const { headers = {}, mediaType } = answer;
  reply.headers(headers).header('content-type', mediaType ?? 'application/json; charset=utf-8');
  reply.header('vary', 'accept-encoding');
  const plain = Readable.from(allChunks(first, chunks), { objectMode: false });
  if (mediaType || acceptedEncoding(request, ['gzip']) === 'identity') return reply.send(plain);
  // Flushes every chunk, so that the first one is sent at once.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH });
  // A late error destroys both streams and the socket, so a shortened list never looks complete.
  pipeline(plain, gzip, () => {});
  return reply.header('content-encoding', 'gzip').send(gzip);
}

type Chunk = string | Uint8Array;

/** Sends JSON text in one piece, compressed when the caller accepts that. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  return sendStream(request, reply, { headers, chunks: onlyChunk(text) });
}

async function* onlyChunk(text: string): AsyncGenerator<string> {
  yield text;
}

async function* allChunks(first: IteratorResult<Chunk>, others: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
  try {
    for (let next = first; !next.done; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
}
