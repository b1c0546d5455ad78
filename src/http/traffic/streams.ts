/**
 * Limits the number of streamed answers. Their readers set the pace, so they occupy no working slot. When the limit is
 * reached, the caller with the most streams loses its slowest one to a caller that has fewer.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairShare, type Share } from './fair-share.js';
import { overloaded } from './shedding.js';
import { sourceOf } from './source-of.js';

export class Streams {
  readonly #open: FairShare<OpenStream>;

  constructor(
    most: number,
    readonly count: (reason: 'displaced' | 'too_many_streams') => void,
  ) {
    this.#open = new FairShare(most);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Throws `overloaded` when the caller itself has the most streams open, and when it has gone. */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw;
    // If the caller has gone already, no event would end its stream.
    if (reply.raw.destroyed || socket.destroyed) throw overloaded;
    const stream = new OpenStream(request);
    const displaced = this.#open.add(stream, true);
    if (displaced === stream) {
      this.count('too_many_streams');
      throw overloaded;
    }
    if (displaced) {
      this.count('displaced');
      displaced.request.raw.socket.destroy();
    }
    const end = () => {
      this.#open.delete(stream);
      socket.off('close', end);
    };
    reply.raw.once('close', end);
    // Node does not close an answer that waits behind another one of the same connection.
    socket.once('close', end);
  }
}

class OpenStream implements Share {
  readonly #beganAtMs = performance.now();
  readonly #bytesBefore: number;

  constructor(readonly request: FastifyRequest) {
    this.#bytesBefore = request.raw.socket.bytesWritten;
  }

  source(): string {
    return sourceOf(this.request);
  }

  /** Adds a second and some bytes, so that the newest stream does not seem the slowest. */
  speed(nowMs: number): number {
    const bytes = this.request.raw.socket.bytesWritten - this.#bytesBefore;
    return (bytes + 65_536) / (nowMs - this.#beganAtMs + 1000);
  }
}
