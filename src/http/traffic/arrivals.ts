/**
 * Requests whose body is still arriving. Node allows all of them the same time; here most get less than an upload, and
 * a sender that hardly sends is cut off early. Needed against attack 3 (slow bodies without a token made the API answer
 * 503): such a body occupies a connection, never a working slot. An endless body after its answer is cut off too.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RemesaError } from '../../errors.js';
import type { Lane } from './lanes.js';
import { overloaded } from './shedding.js';

export interface ArrivalBounds {
  /** The time for the whole request to arrive. A route may allow more. */
  readonly requestMs: number;
  /** At least `progressBytes` must arrive in each interval of this length. */
  readonly progressMs: number;
  /** After the answer, the rest of the body is discarded for this time. Then the connection is closed. */
  readonly unreadMs: number;
}

export type DropReason = 'too_slow' | 'too_late' | 'unread_body' | 'stopping';

const progressBytes = 4096;
/** How much of an unread body is discarded: enough for a browser to finish a photograph and see the answer. */
const unreadBytes = 12 * 1024 * 1024;
const checkEveryMs = 250;

const tooSlow = new RemesaError('timeout', 'request_timeout', 'The request did not arrive in time.');

interface Arrival {
  readonly reply: FastifyReply;
  readonly lane: Lane;
  readonly beganMs: number;
  /** The answer was sent before the body arrived. Node discards the rest. */
  isAnswered: boolean;
  /** When the sender was last seen to make progress, or when the answer was sent, and the bytes until then. */
  seen: { readonly atMs: number; readonly bytes: number };
}

export class Arrivals {
  readonly #all = new Map<FastifyRequest, Arrival>();
  #checkTimer: NodeJS.Timeout | undefined;

  constructor(
    readonly bounds: ArrivalBounds,
    readonly count: (lane: Lane, reason: DropReason) => void,
  ) {}

  inLane(lane: Lane): number {
    return [...this.#all.values()].filter((arrival) => arrival.lane === lane).length;
  }

  /** Call it before the body of the request is read. */
  begin(request: FastifyRequest, reply: FastifyReply, lane: Lane): void {
    this.#all.set(request, {
      reply,
      lane,
      beganMs: performance.now(),
      isAnswered: false,
      seen: seen(request),
    });
    this.#checkTimer ??= setInterval(() => this.#check(), checkEveryMs).unref();
  }

  /** Call it when the body has arrived or the caller has gone. */
  end(request: FastifyRequest): void {
    this.#all.delete(request);
  }

  /** Call it when the answer was sent or the caller has gone. */
  answered(request: FastifyRequest, reply: FastifyReply, lane: Lane): void {
    if (isOver(request)) {
      this.end(request);
      return;
    }
    if (!this.#all.has(request)) this.begin(request, reply, lane);
    const arrival = this.#all.get(request);
    if (arrival) Object.assign(arrival, { isAnswered: true, seen: seen(request) });
  }

  /** Call it when the sender goes on far beyond the limit of its body. Closes the connection, answered or not. */
  cutOff(request: FastifyRequest, lane: Lane): void {
    this.end(request);
    this.count(lane, 'unread_body');
    request.raw.destroy();
  }

  /** When the process stops: drops every request that has not arrived completely. */
  dropAll(): void {
    for (const [request, arrival] of this.#all) this.#drop(request, arrival, 'stopping');
  }

  /** Removes the requests that have arrived, and drops those that are too slow. Without any, checking ends. */
  #check(): void {
    for (const [request, arrival] of this.#all) {
      if (isOver(request)) this.end(request);
      else {
        const reason = this.#reasonToDrop(request, arrival);
        if (reason) this.#drop(request, arrival, reason);
      }
    }
    if (this.#all.size > 0) return;
    clearInterval(this.#checkTimer);
    this.#checkTimer = undefined;
  }

  #reasonToDrop(request: FastifyRequest, arrival: Arrival): DropReason | undefined {
    const { requestMs, progressMs, unreadMs } = this.bounds;
    const now = seen(request);
    const pausedMs = now.atMs - arrival.seen.atMs;
    const bytes = now.bytes - arrival.seen.bytes;
    if (arrival.isAnswered) return pausedMs > unreadMs || bytes > unreadBytes ? 'unread_body' : undefined;
    const withinMs = request.routeOptions.config.arrivesWithinMs ?? requestMs;
    if (now.atMs - arrival.beganMs > withinMs) return 'too_late';
    // While we do not read, the sender is not to blame.
    const isRead = request.raw.readableFlowing === true;
    if (isRead && bytes < progressBytes) return pausedMs > progressMs ? 'too_slow' : undefined;
    arrival.seen = now;
    return undefined;
  }

  #drop(request: FastifyRequest, { reply, lane }: Arrival, reason: DropReason): void {
    this.end(request);
    this.count(lane, reason);
    if (reply.raw.headersSent) request.raw.socket.destroy();
    // The error handler answers in the format of the route: with a page, an OAuth error or a problem document.
    else reply.header('connection', 'close').send(reason === 'stopping' ? overloaded : tooSlow);
  }
}

function seen({ raw }: FastifyRequest): Arrival['seen'] {
  return { atMs: performance.now(), bytes: raw.socket.bytesRead };
}

/** The body has arrived, or the connection is closing. */
function isOver({ raw }: FastifyRequest): boolean {
  const { complete, destroyed, socket } = raw;
  return complete || destroyed || socket.destroyed || socket.writableEnded;
}
