/**
 * How often one caller may call one process, told in the IETF `RateLimit` fields. Kept in memory: a limit protects
 * the process that it runs in, and asking the database would cost more than what it guards.
 */
import type { Caller } from '../../caller.js';
import type { RemesaError } from '../../errors.js';
import type { Route } from '../route.js';
import { FixedWindows, type Limit, rateLimited } from './fixed-windows.js';

export interface RatePolicy extends Limit {
  /** The only path that the policy covers; absent: all of them. The first policy that covers a route counts. */
  readonly path?: string;
}

/** The values of `RateLimit-Policy` and `RateLimit`, and the refusal of a caller that was over. */
export interface RateLimitFields {
  readonly policy: string;
  readonly left: string;
  readonly refusal: RemesaError | undefined;
}

interface Running {
  readonly policy: RatePolicy;
  readonly windows: FixedWindows;
  /** The field that says what is allowed: the same in every answer. */
  readonly allowed: string;
}

export class RateLimiter {
  readonly #running: readonly Running[];
  readonly #ofRoute = new Map<Route, Running | undefined>();

  constructor(policies: readonly RatePolicy[], nowMs?: () => number) {
    this.#running = policies.map((policy) => ({
      policy,
      windows: new FixedWindows(policy.requests, policy.windowSeconds, nowMs),
      allowed: `"${policy.name}";q=${policy.requests};w=${policy.windowSeconds}`,
    }));
  }

  /** What the answer tells of it; undefined where nothing is counted. */
  count(caller: Caller, route: Route): RateLimitFields | undefined {
    const running = this.#forRoute(route);
    if (!running) return undefined;
    const { left, resetSeconds } = running.windows.count(subjectOf(caller));
    const { policy, allowed } = running;
    return {
      policy: allowed,
      left: `"${policy.name}";r=${Math.max(0, left)};t=${resetSeconds}`,
      refusal: left < 0 ? rateLimited(policy, resetSeconds) : undefined,
    };
  }

  #forRoute(route: Route): Running | undefined {
    if (!this.#ofRoute.has(route)) {
      this.#ofRoute.set(
        route,
        this.#running.find(({ policy }) => policy.path === undefined || policy.path === route.path),
      );
    }
    return this.#ofRoute.get(route);
  }
}

function subjectOf(caller: Caller): string {
  return caller.kind === 'operator' ? `operator ${caller.operatorId}` : `merchant ${caller.merchantId}`;
}
