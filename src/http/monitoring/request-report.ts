/** Writes one log line and one measurement for each request. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../caller.js';
import type { Log } from '../../log.js';
import type { Metrics } from './metrics.js';

/** Never sent. In logs and metrics it means that the caller disconnected before the answer was sent. */
const callerGone = 499;

export interface RequestReport {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Call it when the answer was sent or the caller has gone. */
export function reportRequest(
  { log, metrics }: RequestReport,
  {
    request,
    reply,
    route,
    beganMs,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    /** The pattern of the route, never the address, which may contain personal data. */
    readonly route: string;
    readonly beganMs: number;
  },
): void {
  const { id: requestId, method, caller } = request;
  const status = reply.raw.writableFinished ? reply.statusCode : callerGone;
  const milliseconds = performance.now() - beganMs;
  metrics.observeRequest(method, route, status, milliseconds / 1000);
  const ms = Math.round(milliseconds * 100) / 100;
  log.info({ requestId, method, route, status, ms, ...idOf(caller) }, 'request');
}

function idOf(caller: Caller | undefined): object {
  if (!caller) return {};
  return caller.kind === 'operator' ? { operatorId: caller.operatorId } : { merchantId: caller.merchantId };
}
