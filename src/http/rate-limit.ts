/**
 * How often one caller may call one process, told in the IETF `RateLimit` fields. Kept in memory: a limit protects
 * the process that it runs in, and asking the database would cost more than what it guards.
 */
import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller.js';
import { type Counted, FixedWindows, type Limit, rateLimited } from '../fixed-windows.js';
import type { Route } from './route.js';

export interface RatePolicy extends Limit {
  /** Whether a route falls under this policy; the first one that does counts. */
  covers(route: Route): boolean;
}

interface Running {
  readonly policy: RatePolicy;
  readonly windows: FixedWindows;
}

export class RateLimiter {
  readonly #running: readonly Running[];
  readonly #ofRoute = new Map<Route, Running | undefined>();

  constructor(policies: readonly RatePolicy[], nowMs?: () => number) {
    this.#running = policies.map((policy) => ({
      policy,
      windows: new FixedWindows(policy.requests, policy.windowSeconds, nowMs),
    }));
  }

  count(caller: Caller, route: Route, reply: FastifyReply): void {
    const running = this.#forRoute(route);
    if (!running) return;
    const counted = running.windows.count(subjectOf(caller));
    tell(reply, running.policy, counted);
    if (counted.left < 0) throw rateLimited(running.policy, counted.resetSeconds);
  }

  #forRoute(route: Route): Running | undefined {
    if (!this.#ofRoute.has(route)) {
      this.#ofRoute.set(
        route,
        this.#running.find(({ policy }) => policy.covers(route)),
      );
    }
    return this.#ofRoute.get(route);
  }
}

function tell(reply: FastifyReply, policy: Limit, { left, resetSeconds }: Counted): void {
  reply.header('ratelimit-policy', `"${policy.name}";q=${policy.requests};w=${policy.windowSeconds}`);
  reply.header('ratelimit', `"${policy.name}";r=${Math.max(0, left)};t=${resetSeconds}`);
}

function subjectOf(caller: Caller): string {
  return caller.kind === 'operator' ? `operator ${caller.operatorId}` : `merchant ${caller.merchantId}`;
}
