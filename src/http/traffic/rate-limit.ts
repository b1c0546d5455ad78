/**
 * Limits how often one caller may call one process, and reports it in the IETF `RateLimit` fields. The counts are in
 * memory: the limit protects this process, and a query would cost more than it saves. Needed against attacks 3 and 5
 * when they come from a caller with a token: one caller must not use up what all share.
 */
import type { Caller } from '../../caller.js';
import type { RemesaError } from '../../errors.js';
import type { Route } from '../route.js';
import { FixedWindows, type Limit, rateLimited } from './fixed-windows.js';

export interface RatePolicy extends Limit {
  /** The only path that the policy covers. Absent: all paths. The first policy that covers a route applies. */
  readonly path?: string;
}

/** The values of `RateLimit-Policy` and `RateLimit`, and the refusal of a caller that exceeded the limit. */
export interface RateLimitFields {
  readonly policy: string;
  readonly left: string;
  readonly refusal: RemesaError | undefined;
}

export type CountRequest = (caller: Caller) => RateLimitFields;

interface PolicyWindows {
  readonly policy: RatePolicy;
  readonly windows: FixedWindows;
  /** The value of `RateLimit-Policy`, which is the same in every answer. */
  readonly policyField: string;
}

export class RateLimiter {
  readonly #policies: readonly PolicyWindows[];

  constructor(policies: readonly RatePolicy[], nowMs?: () => number) {
    this.#policies = policies.map((policy) => ({
      policy,
      windows: new FixedWindows(policy.requests, policy.windowSeconds, nowMs),
      policyField: `"${policy.name}";q=${policy.requests};w=${policy.windowSeconds}`,
    }));
  }

  /** Undefined when no policy covers the route. */
  counterOf(route: Route): CountRequest | undefined {
    const found = this.#policies.find(({ policy }) => policy.path === undefined || policy.path === route.path);
    return found && ((caller) => count(found, caller));
  }
}

function count({ policy, windows, policyField }: PolicyWindows, caller: Caller): RateLimitFields {
  const { left, resetSeconds } = windows.count(subjectOf(caller));
  return {
    policy: policyField,
    left: `"${policy.name}";r=${Math.max(0, left)};t=${resetSeconds}`,
    refusal: left < 0 ? rateLimited(policy, resetSeconds) : undefined,
  };
}

function subjectOf(caller: Caller): string {
  return caller.kind === 'operator' ? `operator ${caller.operatorId}` : `merchant ${caller.merchantId}`;
}
