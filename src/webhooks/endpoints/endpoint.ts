/** A merchant's url for one channel and its health. The rules are pure: how an attempt changes the health. */
import type { Channel } from '../../changes/event.js';
import type { MerchantId } from '../../ids.js';

export interface EndpointRef {
  readonly merchantId: MerchantId;
  readonly channel: Channel;
}

export function endpointKey({ merchantId, channel }: EndpointRef): string {
  return `${merchantId} ${channel}`;
}

/** `gone`: the endpoint answered 410. `failing`: every attempt failed for too long. */
export type DisabledBecause = 'gone' | 'failing';

export interface Health {
  /** How many attempts may be in flight at once. */
  readonly lanes: number;
  readonly consecutiveFailures: number;
  readonly failingSince: Date | null;
  readonly failingAttempts: number;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly windowBeganAt: Date | null;
  readonly windowAttempts: number;
  readonly windowFailures: number;
  /** No attempt is made before this time. Then a single attempt decides whether the pause is over. */
  readonly circuitOpenUntil: Date | null;
  readonly circuitOpenings: number;
  readonly disabledBecause: DisabledBecause | null;
}

export interface Endpoint extends EndpointRef, Health {
  readonly url: string;
  readonly disabledAt: Date | null;
  readonly registeredAt: Date;
  /** Notifications carry a `traceparent`, where the operator traces. */
  readonly sendsTraceparent: boolean;
}

/**
 * The result of an attempt, as far as health is concerned. `slow`: delivered, but the body of the answer did not end in
 * time.
 */
export type EndpointOutcome = 'delivered' | 'slow' | 'failed' | 'timeout' | 'gone';

export const lanesOfHealthy = 4;
const lanesOfSlow = 1;
const second = 1000;
const hour = 3600 * second;
const windowMs = 300 * second;
const failuresInARow = 10;
const attemptsToJudge = 10;
const failureShare = 0.7;
const shortestPauseMs = 30 * second;
const longestPauseMs = hour;
const disabledAfterMs = 120 * hour;
const attemptsToDisable = 10;

export const healthy: Health = {
  lanes: lanesOfHealthy,
  consecutiveFailures: 0,
  failingSince: null,
  failingAttempts: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  windowBeganAt: null,
  windowAttempts: 0,
  windowFailures: 0,
  circuitOpenUntil: null,
  circuitOpenings: 0,
  disabledBecause: null,
};

export function afterAttempt(health: Health, outcome: EndpointOutcome, now: Date): Health {
  const isSuccess = outcome === 'delivered' || outcome === 'slow';
  const counted = countedInWindow(health, !isSuccess, now);
  if (isSuccess) return afterSuccess(counted, outcome === 'slow' ? lanesOfSlow : lanesOfHealthy, now);
  const failed: Health = {
    ...counted,
    lanes: outcome === 'timeout' ? lanesOfSlow : counted.lanes,
    consecutiveFailures: counted.consecutiveFailures + 1,
    failingSince: counted.failingSince ?? now,
    failingAttempts: counted.failingAttempts + 1,
    lastFailureAt: now,
  };
  const judged = { ...failed, disabledBecause: disabledBecause(failed, outcome, now) };
  return mustPause(judged, now) ? paused(judged, now) : judged;
}

/** How many attempts may be in flight now. After a pause a single attempt decides. */
export function lanesNow(health: Health): number {
  return health.circuitOpenings > 0 ? 1 : health.lanes;
}

export function isServed(health: Health, now: Date): boolean {
  return health.disabledBecause === null && !isPaused(health, now);
}

function afterSuccess(health: Health, lanes: number, now: Date): Health {
  // Failures before the pause are no evidence against an endpoint that answers again.
  const window = health.circuitOpenings > 0 ? { windowAttempts: 0, windowFailures: 0 } : {};
  return {
    ...health,
    ...window,
    lanes,
    consecutiveFailures: 0,
    failingSince: null,
    failingAttempts: 0,
    lastSuccessAt: now,
    circuitOpenUntil: null,
    circuitOpenings: 0,
  };
}

function countedInWindow(health: Health, isFailure: boolean, now: Date): Health {
  const { windowBeganAt } = health;
  const isOver = windowBeganAt === null || now.getTime() - windowBeganAt.getTime() >= windowMs;
  return {
    ...health,
    windowBeganAt: isOver ? now : windowBeganAt,
    windowAttempts: (isOver ? 0 : health.windowAttempts) + 1,
    windowFailures: (isOver ? 0 : health.windowFailures) + (isFailure ? 1 : 0),
  };
}

function mustPause(health: Health, now: Date): boolean {
  // Attempts that were in flight when the pause began do not extend it.
  if (isPaused(health, now)) return false;
  const { circuitOpenings, consecutiveFailures, windowAttempts, windowFailures } = health;
  return (
    circuitOpenings > 0 ||
    consecutiveFailures >= failuresInARow ||
    (windowAttempts >= attemptsToJudge && windowFailures >= failureShare * windowAttempts)
  );
}

function paused(health: Health, now: Date): Health {
  const pauseMs = Math.min(shortestPauseMs * 2 ** health.circuitOpenings, longestPauseMs);
  return {
    ...health,
    circuitOpenUntil: new Date(now.getTime() + pauseMs),
    circuitOpenings: health.circuitOpenings + 1,
  };
}

function isPaused({ circuitOpenUntil }: Health, now: Date): boolean {
  return circuitOpenUntil !== null && circuitOpenUntil > now;
}

function disabledBecause(health: Health, outcome: EndpointOutcome, now: Date): DisabledBecause | null {
  if (outcome === 'gone') return 'gone';
  const failingForMs = now.getTime() - (health.failingSince ?? now).getTime();
  const hasFailedForLong = failingForMs >= disabledAfterMs && health.failingAttempts >= attemptsToDisable;
  return hasFailedForLong ? 'failing' : health.disabledBecause;
}
