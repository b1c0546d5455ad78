/**
 * Writes one log line and one measurement for each request. Requests that end in the same turn of the event loop are
 * reported together, which costs half of reporting each one by itself.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../caller.js';
import type { Log } from '../../log.js';
import type { Authenticator } from '../authenticator.js';
import { type MerchantRequest, merchantRequestOf, type RequestRecorder } from './merchant-request.js';
import type { Metrics } from './metrics.js';

interface Ended {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route, never the address, which may contain personal data. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The network of the caller. */
  readonly client: string;
}

/** Asked every few seconds: in the log only at the level debug, unless something is wrong. */
const polled = new Set(['/livez', '/readyz', '/metrics']);

/** Never sent. In logs and metrics it means that the caller disconnected before the answer was sent. */
const callerGone = 499;

export class RequestReport {
  #ended: Ended[] = [];
  #ofMerchants: MerchantRequest[] = [];

  constructor(
    readonly to: {
      readonly log: Log;
      readonly metrics: Metrics;
      /** Undefined: merchants do not see their requests. */
      readonly recorder?: RequestRecorder | undefined;
    },
    readonly loginOf: Authenticator['loginOf'],
  ) {}

  /** Call it when a request begins, and what it returns when the answer was sent or the caller has gone. */
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    client: string,
  ): (route: string, caller: Caller | undefined) => void {
    const beganMs = performance.now();
    return (route, caller) => {
      const { id, method } = request;
      const status = reply.raw.writableFinished ? reply.statusCode : callerGone;
      const ms = Math.round((performance.now() - beganMs) * 100) / 100;
      const ended = { requestId: id, method, route, status, ms, client, ...this.#nameOf(caller) };
      if (this.#ended.push(ended) === 1) setImmediate(() => this.#make());
      const ofMerchant = this.to.recorder && merchantRequestOf(request, reply, { status, ms });
      if (ofMerchant) this.#ofMerchants.push(ofMerchant);
    };
  }

  #make(): void {
    const all = this.#ended;
    this.#ended = [];
    const { log, metrics, recorder } = this.to;
    for (const { method, route, status, ms } of all) metrics.observeRequest(method, route, status, ms / 1000);
    for (const ended of all) {
      if (polled.has(ended.route) && ended.status < 400) log.debug(ended, 'request');
      else log.info(ended, 'request');
    }
    if (this.#ofMerchants.length === 0) return;
    recorder?.add(this.#ofMerchants);
    this.#ofMerchants = [];
  }

  #nameOf(caller: Caller | undefined): object {
    if (!caller) return {};
    if (caller.kind !== 'operator') return { merchantId: caller.merchantId };
    const login = this.loginOf?.(caller.operatorId);
    return { operatorId: caller.operatorId, ...(login !== undefined && { operator: login }) };
  }
}
