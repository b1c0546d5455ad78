/** Answers of any length in flat memory: what the caller does not take yet is not made yet. */
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from './accepted-encoding.js';

export interface StreamedAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: JSON. What is not JSON is sent as it is: photographs and the like do not get smaller. */
  readonly mediaType?: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** The first chunk is made before the status is sent: what fails until then is answered as an error. */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamedAnswer,
): Promise<FastifyReply> {
  const rest = answer.chunks[Symbol.asyncIterator]();
  // Fastify would read the whole answer to a HEAD only to throw it away.
  const first: IteratorResult<Chunk> =
    request.method === 'HEAD' ? { done: true, value: undefined } : await rest.next();
  const { headers = {}, mediaType } = answer;
  reply.headers(headers).header('content-type', mediaType ?? 'application/json; charset=utf-8');
  reply.header('vary', 'accept-encoding');
  const plain = Readable.from(whole(first, rest), { objectMode: false });
  if (mediaType || acceptedEncoding(request, ['gzip']) === 'identity') return reply.send(plain);
  // Flushed at every chunk, so that the first one leaves at once.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH });
  // An error half-way destroys both, and with them the socket: never a closed array that lacks its end.
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

async function* whole(first: IteratorResult<Chunk>, rest: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
