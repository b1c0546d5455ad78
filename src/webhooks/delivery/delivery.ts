/** The pure rules of a delivery: what the result of an attempt means for it. */
import type { EventId } from '../../changes/event.js';
import type { EndpointOutcome } from '../endpoints/endpoint.js';
import type { EventContent } from '../event.js';
import type { AttemptOutcome, FailureReason } from './attempt.js';
import { delayBeforeNext, readRetryAfter } from './retry.js';

/**
 * `delivered`: the endpoint answered 2xx. `exhausted`: every attempt failed. `dropped`: the event is not sent, because
 * the url was deleted, its object is no longer stored, or a sandbox fault drops it. Every event stays in `GET /events`.
 */
export type DeliveryState = 'pending' | 'delivered' | 'exhausted' | 'dropped';

/** The states in the API. `held`: pending, but the url is disabled. */
export const shownStates = ['pending', 'held', 'delivered', 'exhausted', 'dropped'] as const;
export type ShownState = (typeof shownStates)[number];

export const injectableFaults = ['duplicate', 'reorder', 'delay', 'drop'] as const;
export type InjectedFault = (typeof injectableFaults)[number];

/** An event to be sent now. */
export interface DueDelivery extends EventContent {
  readonly eventId: EventId;
  readonly subject: string;
  /** Attempts since the event was last queued. */
  readonly attempts: number;
  /** No attempt was made yet, over all redeliveries. */
  readonly isFirst: boolean;
  readonly injectedFault: InjectedFault | undefined;
  /** Of the request that caused the event, where requests are traced. */
  readonly traceparent: string | undefined;
}

export interface AttemptRecord {
  readonly outcome: 'delivered' | 'refused_status' | FailureReason;
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly answerStart: Buffer | undefined;
}

export interface Settlement {
  readonly state: DeliveryState;
  /** When the next attempt is due, if the state is `pending`. */
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

/** The next state of the delivery after an attempt. `random` is from 0 to 1. */
export function settle(
  delivery: Pick<DueDelivery, 'attempts' | 'injectedFault'>,
  result: AttemptOutcome,
  now: Date,
  random: number,
): Settlement {
  const isFirst = delivery.attempts === 0;
  if (result.kind === 'answered' && isSuccess(result.status)) {
    const isSentTwice = delivery.injectedFault === 'duplicate' && isFirst;
    return { state: isSentTwice ? 'pending' : 'delivered', delaySeconds: 0 };
  }
  const failed = {
    attempts: delivery.attempts + 1,
    isBusy: result.kind === 'failed' ? result.reason === 'timeout' : result.status === 429,
    retryAfterSeconds: result.kind === 'answered' ? readRetryAfter(result.retryAfter, now) : undefined,
  };
  const delaySeconds = delayBeforeNext(failed, random);
  return delaySeconds === undefined ? { state: 'exhausted', delaySeconds: 0 } : { state: 'pending', delaySeconds };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
