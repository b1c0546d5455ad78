/** Answers of any length in flat memory: what the caller does not take yet is not made yet. */
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface StreamedAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<string>;
}

const withoutProgressMs = 60_000;

export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamedAnswer,
): FastifyReply {
  // The listener of the server destroys a socket on which nothing moved for so long.
  request.raw.socket.setTimeout(withoutProgressMs);
  reply.headers(answer.headers ?? {}).header('content-type', 'application/json; charset=utf-8');
  const plain = Readable.from(answer.chunks, { objectMode: false });
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(plain);
  // Flushed at every chunk, so that the first one leaves at once.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH });
  // An error half-way destroys both, and with them the socket: never a closed array that lacks its end.
  pipeline(plain, gzip, () => {});
  return reply.header('content-encoding', 'gzip').send(gzip);
}

function acceptsGzip(header: string | undefined): boolean {
  const offered = (header ?? '').split(',').map((part) => part.trim().toLowerCase());
  return offered.some((part) => /^(gzip|\*)(\s*;\s*q=(1(\.0*)?|0?\.\d*[1-9]\d*))?$/.test(part));
}
