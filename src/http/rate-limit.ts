/**
 * How often one caller may call one process, told in the IETF `RateLimit` fields. Kept in memory: a limit protects
 * the process that it runs in, and asking the database would cost more than what it guards.
 */
import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Route } from './route.js';

export interface RatePolicy {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
  /** Whether a route falls under this policy; the first one that does counts. */
  covers(route: Route): boolean;
}

interface Window {
  endsAtMs: number;
  left: number;
}

export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #policyOfRoute = new Map<Route, RatePolicy | undefined>();

  constructor(
    readonly policies: readonly RatePolicy[],
    readonly nowMs: () => number = () => performance.now(),
  ) {}

  count(caller: Caller, route: Route, reply: FastifyReply): void {
    const policy = this.#policyOf(route);
    if (!policy) return;
    const nowMs = this.nowMs();
    const window = this.#window(`${policy.name} ${subjectOf(caller)}`, policy, nowMs);
    const resetSeconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000));
    window.left -= 1;
    reply.header('ratelimit-policy', `"${policy.name}";q=${policy.requests};w=${policy.windowSeconds}`);
    reply.header('ratelimit', `"${policy.name}";r=${Math.max(0, window.left)};t=${resetSeconds}`);
    if (window.left >= 0) return;
    throw new RemesaError(
      'too_many',
      'rate_limited',
      `More than ${policy.requests} requests in ${policy.windowSeconds} s.`,
      {
        retryAfterSeconds: resetSeconds,
        members: { policy: policy.name, max: policy.requests, windowSeconds: policy.windowSeconds },
      },
    );
  }

  #policyOf(route: Route): RatePolicy | undefined {
    if (!this.#policyOfRoute.has(route)) {
      this.#policyOfRoute.set(
        route,
        this.policies.find((policy) => policy.covers(route)),
      );
    }
    return this.#policyOfRoute.get(route);
  }

  #window(key: string, policy: RatePolicy, nowMs: number): Window {
    const found = this.#windows.get(key);
    if (found && found.endsAtMs > nowMs) return found;
    if (this.#windows.size > 10_000) this.#forgetEnded(nowMs);
    const opened = { endsAtMs: nowMs + policy.windowSeconds * 1000, left: policy.requests };
    this.#windows.set(key, opened);
    return opened;
  }

  #forgetEnded(nowMs: number): void {
    for (const [key, window] of this.#windows) if (window.endsAtMs <= nowMs) this.#windows.delete(key);
  }
}

function subjectOf(caller: Caller): string {
  return caller.kind === 'operator' ? `operator ${caller.operatorId}` : `merchant ${caller.merchantId}`;
}
