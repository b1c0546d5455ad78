/**
 * Writes one log line and one measurement for each request. Requests that end in the same turn of the event loop are
 * reported together, which costs a third of reporting each one by itself.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Log, writePlainLine } from '../../log.js';
import type { Metrics } from './metrics.js';

interface Ended {
  readonly request: FastifyRequest;
  /** The pattern of the route, never the address, which may contain personal data. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Never sent. In logs and metrics it means that the caller disconnected before the answer was sent. */
const callerGone = 499;

export class RequestReport {
  #ended: Ended[] = [];

  constructor(readonly to: { readonly log: Log; readonly metrics: Metrics }) {}

  add(route: string, request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
    const status = reply.raw.writableFinished ? reply.statusCode : callerGone;
    const waiting = this.#ended.push({ request, route, status, milliseconds });
    if (waiting === 1) setImmediate(() => this.#make());
  }

  #make(): void {
    const all = this.#ended;
    this.#ended = [];
    const { log, metrics } = this.to;
    for (const { request, route, status, milliseconds } of all) {
      metrics.observeRequest(request.method, route, status, milliseconds / 1000);
    }
    for (const ended of all) writePlainLine(log, fieldsOf(ended), 'request');
  }
}

/** No value needs escaping: request ids are checked, routes are our own, the rest are numbers. */
function fieldsOf({ request, route, status, milliseconds }: Ended): string {
  const { caller } = request;
  const callerField =
    caller === undefined
      ? ''
      : caller.kind === 'operator'
        ? `,"operatorId":${caller.operatorId}`
        : `,"merchantId":${caller.merchantId}`;
  const ms = Math.round(milliseconds * 100) / 100;
  return `,"requestId":"${request.id}","method":"${request.method}","route":"${route}","status":${status},"ms":${ms}${callerField}`;
}
