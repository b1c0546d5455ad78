/**
 * Limits the number of streamed answers, in all and for each caller. Needed against slow readers of `GET
 * /merchant/users` (suspected in the attack): a reader sets the pace, so a stream occupies no working slot and would
 * have no limit.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../caller.js';
import { overloaded } from './shedding.js';

export interface StreamBounds {
  readonly streams: number;
  readonly streamsOfCaller: number;
}

export class Streams {
  readonly #open = new Map<FastifyRequest, string>();

  constructor(
    readonly bounds: StreamBounds,
    readonly count: (reason: 'too_many_streams') => void,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  /** Throws `overloaded` when too many streams are open, and when the caller has gone. */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw;
    // If the caller has gone already, no event would end its stream.
    if (reply.raw.destroyed || socket.destroyed) throw overloaded;
    const caller = callerOf(request.caller);
    const own = [...this.#open.values()].filter((other) => other === caller).length;
    if (this.size >= this.bounds.streams || own >= this.bounds.streamsOfCaller) {
      this.count('too_many_streams');
      throw overloaded;
    }
    this.#open.set(request, caller);
    const end = () => {
      this.#open.delete(request);
      socket.off('close', end);
    };
    reply.raw.once('close', end);
    // Node does not close an answer that waits behind another one of the same connection.
    socket.once('close', end);
  }
}

function callerOf(caller: Caller | undefined): string {
  if (caller?.kind === 'operator') return `operator ${caller.operatorId}`;
  return `merchant ${caller?.merchantId}`;
}
