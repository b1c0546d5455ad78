/**
 * Follows every request through its life: header there, body arriving, worked on, answer on its way. Each stage has
 * limits of its own, so that a slow or silent peer costs itself its connection and nobody else their service.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RemesaError } from '../../errors.js';
import { notFound } from '../addresses.js';
import type { Metrics } from '../metrics.js';
import type { RequestReport } from '../request-report.js';
import { Arrivals } from './arrivals.js';
import { Connections } from './connections.js';
import { type Lane, lanes } from './lanes.js';
import type { RequestBounds } from './request-bounds.js';
import { overloaded, type Shedder, Slot } from './shedding.js';
import { Streams } from './streams.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for probes and for addresses that do not exist. */
    slot: Slot | undefined;
  }
  interface FastifyInstance {
    readonly traffic: Traffic;
  }
}

export class Traffic {
  readonly arrivals: Arrivals;
  readonly connections: Connections;
  readonly streams: Streams;

  constructor(
    server: FastifyInstance,
    readonly shedder: Shedder,
    readonly metrics: Metrics,
    bounds: RequestBounds,
  ) {
    this.arrivals = new Arrivals(bounds, (lane, reason) => metrics.countDropped(lane, reason));
    this.connections = new Connections(server.server, bounds, (reason) =>
      metrics.countDropped('connection', reason),
    );
    this.streams = new Streams(bounds.streams, (reason) => metrics.countDropped('stream', reason));
    metrics.watchTraffic({
      arriving: () => lanes.map((lane) => [lane, this.arrivals.inLane(lane)]),
      working: () => lanes.map((lane) => [lane, shedder.inLane(lane)]),
      connections: () => this.connections.size,
      streams: () => this.streams.size,
    });
  }

  /** The refusal of a request whose lane can't take it on now. */
  refuse(slot: Slot): RemesaError | undefined {
    const reason = this.shedder.reasonToRefuse(slot.lane);
    if (!reason) return undefined;
    this.metrics.countDropped(slot.lane, reason);
    return overloaded;
  }
}

export function watchTraffic(server: FastifyInstance, traffic: Traffic, report: RequestReport): void {
  const { arrivals, connections, shedder } = traffic;
  server.decorate('traffic', traffic);
  server.decorateRequest('slot', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    const { url: route = 'unknown', config } = request.routeOptions;
    const { socket } = request.raw;
    const slot = config.lane && new Slot(shedder, config.lane);
    request.slot = slot;
    connections.beginRequest(socket, reply.raw);
    // Not Fastify's own hook for finished answers: that one stays silent when the caller goes away half-way.
    reply.raw.on('close', () => {
      slot?.end();
      if (hasBody(request)) arrivals.answered(request, reply, laneToRead(request));
      connections.endRequest(socket, reply.raw);
      report.add(route, request, reply, performance.now() - began);
    });
    // A full lane is said before the body is read; and an unknown address is unknown whatever was sent there.
    done((slot && traffic.refuse(slot)) ?? (request.is404 ? notFound() : undefined));
  });
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (request.slot && hasBody(request)) arrivals.begin(request, reply, request.slot.lane);
    done(null, payload);
  });
  // By now the body is there, unless a form with files is to be read by its page.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.raw.complete) arrivals.end(request);
    const { slot } = request;
    const refusal = slot && traffic.refuse(slot);
    if (!refusal) slot?.take();
    done(refusal);
  });
}

/** Whoever was refused for want of a token is not counted among those who have one. */
function laneToRead({ slot, caller }: FastifyRequest): Lane {
  return slot?.lane === 'form' || (slot && caller) ? slot.lane : 'anonymous';
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
