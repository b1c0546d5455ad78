/**
 * Follows every request through its stages: header received, body arriving, worked on, answer being sent. Each stage
 * has its own limits, so that a slow or silent peer loses its connection and does not affect others. Needed against
 * attacks 3 (slow bodies) and 7 (silent connections): each part here names the attack that it answers.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RemesaError } from '../../errors.js';
import { notFound } from '../addresses.js';
import type { Metrics } from '../monitoring/metrics.js';
import type { RequestReport } from '../monitoring/request-report.js';
import { methodNotAllowed, type ServedPath, type ServedPaths } from '../other-methods.js';
import { Arrivals } from './arrivals.js';
import { Connections } from './connections.js';
import { lanes } from './lanes.js';
import { LiveAnswers } from './live-answers.js';
import type { RequestBounds } from './request-bounds.js';
import { overloaded, type Shedder, Slot } from './shedding.js';
import { networkOf } from './source-address.js';
import { Streams } from './streams.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for probes and for addresses that do not exist. */
    slot: Slot | undefined;
    /** The routes at this address, when none of them has this method. */
    served: ServedPath | undefined;
  }
  interface FastifyInstance {
    readonly traffic: Traffic;
  }
}

export class Traffic {
  readonly arrivals: Arrivals;
  readonly connections: Connections;
  readonly streams: Streams;
  readonly live: LiveAnswers;

  constructor(
    server: FastifyInstance,
    readonly shedder: Shedder,
    readonly metrics: Metrics,
    bounds: RequestBounds,
  ) {
    this.arrivals = new Arrivals(bounds, (lane, reason) => metrics.countDropped(lane, reason));
    this.connections = new Connections(server.server, (reason) => metrics.countDropped('connection', reason));
    this.streams = new Streams(bounds, (reason) => metrics.countDropped('stream', reason));
    this.live = new LiveAnswers(bounds, (reason) => metrics.countDropped('live', reason));
    metrics.watchTraffic({
      arriving: () => lanes.map((lane) => [lane, this.arrivals.inLane(lane)]),
      working: () => lanes.map((lane) => [lane, shedder.inLane(lane)]),
      connections: () => this.connections.size,
      streams: () => this.streams.size,
      live: () => this.live.size,
    });
  }

  /** Returns the refusal when the lane cannot take the request now. */
  refuse({ lane }: Slot): RemesaError | undefined {
    const reason = this.shedder.reasonToRefuse(lane);
    if (!reason) return undefined;
    this.metrics.countDropped(lane, reason);
    return overloaded;
  }
}

interface WatchOptions {
  readonly report: RequestReport;
  /** The headers of every answer. */
  readonly constant: Readonly<Record<string, string>>;
  readonly paths: ServedPaths;
}

export function watchTraffic(
  server: FastifyInstance,
  traffic: Traffic,
  { report, constant, paths }: WatchOptions,
): void {
  const { arrivals, connections, shedder } = traffic;
  server.decorate('traffic', traffic);
  server.decorateRequest('slot', undefined);
  server.decorateRequest('served', undefined);
  // The first hook: nothing is awaited before it, so a request whose next bytes are malformed is reported as well.
  server.addHook('onRequest', (request, reply, done) => {
    const ended = report.begin(request, reply, networkOf(request.ip));
    const { url, config } = request.routeOptions;
    const served = request.is404 ? paths.find(request.url) : undefined;
    const route = url ?? served?.path ?? 'unknown';
    const { socket } = request.raw;
    const slot = config.lane && new Slot(shedder, config.lane);
    request.slot = slot;
    request.served = served;
    connections.beginRequest(socket);
    // Fastify's own hook for finished answers does not run when the caller disconnects.
    reply.raw.on('close', () => {
      slot?.end();
      if (hasBody(request)) arrivals.answered(request, reply, config.lane ?? 'anonymous');
      connections.endRequest(socket);
      ended(route, request.caller);
    });
    reply.headers(constant).header('x-request-id', request.id);
    // A full lane and an unknown address are answered before the body is read.
    const refusal = slot && traffic.refuse(slot);
    done(refusal ?? (request.is404 ? unserved(reply, served) : undefined));
  });
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (request.slot && hasBody(request)) arrivals.begin(request, reply, request.slot.lane);
    done(null, payload);
  });
  // The body has arrived by now, except that of a form with files, which its page reads.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.raw.complete) arrivals.end(request);
    const { slot } = request;
    const refusal = slot && traffic.refuse(slot);
    if (!refusal) slot?.take();
    done(refusal);
  });
}

function unserved(reply: FastifyReply, served: ServedPath | undefined): RemesaError {
  if (!served) return notFound();
  reply.header('allow', served.allow);
  return methodNotAllowed(served.allow);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
