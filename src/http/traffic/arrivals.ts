/**
 * Requests whose body is still arriving. They occupy no working slot, but their number is limited in each lane, so that
 * their memory is limited too. A newcomer is never refused: when a lane is full, the source with the most
 * arriving requests loses its slowest one. A sender that is too slow is always cut off.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RemesaError } from '../../errors.js';
import { FairShare, type Share } from './fair-share.js';
import { type Lane, lanes, perLane } from './lanes.js';
import { overloaded } from './shedding.js';
import { sourceOf } from './source-of.js';

export interface ArrivalBounds {
  /** The time for the whole request to arrive. A route may allow more. */
  readonly requestMs: number;
  /** At least `progressBytes` must arrive in each interval of this length. */
  readonly progressMs: number;
  /** How many requests may be arriving at a time. */
  readonly arriving: Readonly<Record<Lane, number>>;
  /** After the answer, the rest of the body is discarded for this time. Then the connection is closed. */
  readonly unreadMs: number;
}

export type DropReason = 'too_slow' | 'too_late' | 'displaced' | 'unread_body' | 'stopping';

const progressBytes = 4096;
/** How much of an unread body is discarded: enough for a browser to finish a photograph and see the answer. */
const unreadBytes = 12 * 1024 * 1024;
const checkEveryMs = 250;

const tooSlow = new RemesaError('timeout', 'request_timeout', 'The request did not arrive in time.');

export class Arrivals {
  readonly #lanes: Readonly<Record<Lane, FairShare<Arrival>>>;
  readonly #ofRequest = new Map<FastifyRequest, Arrival>();
  #checkTimer: NodeJS.Timeout | undefined;

  constructor(
    readonly bounds: ArrivalBounds,
    readonly count: (lane: Lane, reason: DropReason) => void,
  ) {
    this.#lanes = perLane((lane) => new FairShare(bounds.arriving[lane]));
  }

  inLane(lane: Lane): number {
    return this.#lanes[lane].size;
  }

  /** Call it before the body of the request is read. */
  begin(request: FastifyRequest, reply: FastifyReply, lane: Lane): void {
    const withinMs = request.routeOptions.config.arrivesWithinMs ?? this.bounds.requestMs;
    this.#add(new Arrival(request, reply, lane, withinMs));
  }

  /** Call it when the body has arrived or the caller has gone. */
  end(request: FastifyRequest): void {
    const arrival = this.#ofRequest.get(request);
    if (arrival) this.#remove(arrival);
  }

  /** Call it when the answer was sent before the body arrived. Node discards the rest, within our limits. */
  answered(request: FastifyRequest, reply: FastifyReply, lane: Lane): void {
    const known = this.#ofRequest.get(request);
    const arrival = known ?? new Arrival(request, reply, lane, this.bounds.unreadMs);
    if (arrival.isOver) {
      if (known) this.#remove(known);
      return;
    }
    arrival.startDiscarding();
    if (known) return;
    // It has its answer already, so it displaces no other request.
    if (this.#isFull(lane)) this.#drop(arrival, 'unread_body');
    else this.#add(arrival);
  }

  /** Call it when the sender goes on far beyond the limit of its body. Closes the connection, answered or not. */
  cutOff(request: FastifyRequest, lane: Lane): void {
    this.end(request);
    this.count(lane, 'unread_body');
    request.raw.destroy();
  }

  /** When the process stops: drops every request that has not arrived completely. */
  dropAll(): void {
    for (const lane of lanes) {
      for (const arrival of this.#lanes[lane]) this.#drop(arrival, 'stopping');
    }
  }

  #isFull(lane: Lane): boolean {
    const hasRoom = () => this.inLane(lane) < this.bounds.arriving[lane];
    if (hasRoom()) return false;
    // Some may have ended since the last check.
    this.#check();
    return !hasRoom();
  }

  #add(arrival: Arrival): void {
    if (this.#isFull(arrival.lane)) this.#displaceFor(arrival);
    else this.#lanes[arrival.lane].add(arrival);
    this.#ofRequest.set(arrival.request, arrival);
    this.#checkTimer ??= setInterval(() => this.#check(), checkEveryMs).unref();
  }

  #displaceFor(arrival: Arrival): void {
    const displaced = this.#lanes[arrival.lane].add(arrival);
    if (displaced) this.#drop(displaced, 'displaced');
  }

  #remove(arrival: Arrival): void {
    this.#ofRequest.delete(arrival.request);
    this.#lanes[arrival.lane].delete(arrival);
  }

  /** Removes the requests that have arrived, and drops those that are too slow. Without any, checking ends. */
  #check(): void {
    const nowMs = performance.now();
    for (const arrival of this.#ofRequest.values()) {
      if (arrival.isOver) this.#remove(arrival);
      else {
        const reason = arrival.reasonToDrop(nowMs, this.bounds);
        if (reason) this.#drop(arrival, reason);
      }
    }
    if (this.#ofRequest.size > 0) return;
    clearInterval(this.#checkTimer);
    this.#checkTimer = undefined;
  }

  #drop(arrival: Arrival, reason: DropReason): void {
    this.#remove(arrival);
    this.count(arrival.lane, reason);
    const { request, reply } = arrival;
    if (reply.raw.headersSent) {
      request.raw.socket.destroy();
      return;
    }
    // The route's own error handler answers: with a page, an OAuth error or a problem document.
    const isBusy = reason === 'displaced' || reason === 'stopping';
    reply.header('connection', 'close').send(isBusy ? overloaded : tooSlow);
  }
}

class Arrival implements Share {
  readonly #beganAtMs = performance.now();
  readonly #bytesBefore: number;
  /** When the current interval of progress began, and the bytes read until then. */
  #interval: { atMs: number; bytes: number };
  #discarding: { sinceMs: number; bytes: number } | undefined;

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly lane: Lane,
    readonly withinMs: number,
  ) {
    this.#bytesBefore = request.raw.socket.bytesRead;
    this.#interval = { atMs: this.#beganAtMs, bytes: this.#bytesBefore };
  }

  /** The body has arrived, or the connection is closing. */
  get isOver(): boolean {
    const { complete, destroyed, socket } = this.request.raw;
    return complete || destroyed || socket.destroyed || socket.writableEnded;
  }

  source(): string {
    return sourceOf(this.request);
  }

  /** Adds a second and some bytes, so that the newest request does not seem the slowest. */
  speed(nowMs: number): number {
    const bytes = this.request.raw.socket.bytesRead - this.#bytesBefore;
    return (bytes + progressBytes) / (nowMs - this.#beganAtMs + 1000);
  }

  startDiscarding(): void {
    this.#discarding = { sinceMs: performance.now(), bytes: this.request.raw.socket.bytesRead };
  }

  reasonToDrop(nowMs: number, bounds: ArrivalBounds): DropReason | undefined {
    const { raw } = this.request;
    const bytes = raw.socket.bytesRead;
    if (this.#discarding) {
      const { sinceMs, bytes: bytesBefore } = this.#discarding;
      const isOverLimit = nowMs - sinceMs > bounds.unreadMs || bytes - bytesBefore > unreadBytes;
      return isOverLimit ? 'unread_body' : undefined;
    }
    if (nowMs - this.#beganAtMs > this.withinMs) return 'too_late';
    // While we do not read, the sender is not to blame.
    const isRead = raw.readableFlowing === true;
    if (!isRead || bytes - this.#interval.bytes >= progressBytes) this.#interval = { atMs: nowMs, bytes };
    return nowMs - this.#interval.atMs > bounds.progressMs ? 'too_slow' : undefined;
  }
}
