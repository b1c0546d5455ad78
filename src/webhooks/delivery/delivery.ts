/** What becomes of an event that is to be sent: the rules, pure. */

import type { EndpointOutcome } from '../endpoint.js';
import type { EventContent, EventId } from '../event.js';
import type { AttemptOutcome, FailureReason } from './attempt.js';
import { delayBeforeNext, readRetryAfter } from './retry.js';

/**
 * delivered: the endpoint answered 2xx. exhausted: every attempt failed. dropped: it is not pushed, because the url was
 * deleted, the object's time was over, or the sandbox was asked to lose it. Whatever is not pushed can still be pulled.
 */
export type DeliveryState = 'pending' | 'delivered' | 'exhausted' | 'dropped';

/** As merchants and operators see it. held: pending, and the url is disabled. */
export const shownStates = ['pending', 'held', 'delivered', 'exhausted', 'dropped'] as const;
export type ShownState = (typeof shownStates)[number];

export const injectableFaults = ['duplicate', 'reorder', 'delay', 'drop'] as const;
export type InjectedFault = (typeof injectableFaults)[number];

/** An event that is due now. */
export interface DueDelivery extends EventContent {
  readonly eventId: EventId;
  readonly subject: string;
  /** Since it was put on its way. */
  readonly attempts: number;
  /** Over all redeliveries. */
  readonly lastAttemptNo: number;
  readonly injectedFault: InjectedFault | undefined;
}

/** What is kept of an attempt. */
export interface AttemptRecord {
  readonly outcome: 'delivered' | 'refused_status' | FailureReason;
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly answerStart: Buffer | undefined;
}

export interface Settlement {
  readonly state: DeliveryState;
  /** When it is due again, if it is. */
  readonly delaySeconds: number;
}

export function recordOf(result: AttemptOutcome): AttemptRecord {
  const durationMs = Math.round(result.durationMs);
  if (result.kind === 'failed') {
    return { outcome: result.reason, status: undefined, durationMs, answerStart: undefined };
  }
  const { status, answerStart } = result;
  return {
    outcome: isSuccess(status) ? 'delivered' : 'refused_status',
    status,
    durationMs,
    answerStart: answerStart.length > 0 ? answerStart : undefined,
  };
}

export function endpointOutcomeOf(result: AttemptOutcome): EndpointOutcome {
  if (result.kind === 'failed') return result.reason === 'timeout' ? 'timeout' : 'failed';
  if (result.status === 410) return 'gone';
  if (isSuccess(result.status)) return result.isSlow ? 'slow' : 'delivered';
  return result.isSlow ? 'timeout' : 'failed';
}

/** `random` is from 0 to 1. */
export function settle(
  delivery: Pick<DueDelivery, 'attempts' | 'injectedFault'>,
  result: AttemptOutcome,
  now: Date,
  random: number,
): Settlement {
  const isFirst = delivery.attempts === 0;
  if (result.kind === 'answered' && isSuccess(result.status)) {
    const isWantedTwice = delivery.injectedFault === 'duplicate' && isFirst;
    return { state: isWantedTwice ? 'pending' : 'delivered', delaySeconds: 0 };
  }
  const failed = {
    attempts: delivery.attempts + 1,
    isBusy: result.kind === 'failed' ? result.reason === 'timeout' : result.status === 429,
    retryAfterSeconds: result.kind === 'answered' ? readRetryAfter(result.retryAfter, now) : undefined,
  };
  const delaySeconds = delayBeforeNext(failed, random);
  return delaySeconds === undefined
    ? { state: 'exhausted', delaySeconds: 0 }
    : { state: 'pending', delaySeconds };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
