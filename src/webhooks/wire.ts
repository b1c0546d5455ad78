/** Encodes endpoints, deliveries and attempts for the API. */
import type { Static } from 'typebox';
import type { Endpoint } from './endpoints/endpoint.js';
import type { Delivery, KeptAttempt } from './events/event-store.js';
import type { OperatorAttemptShape } from './operator/schemas.js';
import type { AttemptShape, DeliveryShape, EndpointShape } from './schemas.js';

export function shownEndpoint(endpoint: Endpoint): Static<typeof EndpointShape> {
  const { channel, url, disabledBecause, consecutiveFailures } = endpoint;
  return {
    channel,
    url,
    status: disabledBecause ? 'disabled' : 'active',
    ...(disabledBecause ? { disabledBecause } : {}),
    ...time('disabledAt', endpoint.disabledAt),
    registeredAt: endpoint.registeredAt.toISOString(),
    traceparent: endpoint.sendsTraceparent,
    ...time('lastSuccessAt', endpoint.lastSuccessAt),
    ...time('lastFailureAt', endpoint.lastFailureAt),
    consecutiveFailures,
    ...time('pausedUntil', endpoint.circuitOpenUntil),
  };
}

export function shownDelivery(delivery: Delivery): Static<typeof DeliveryShape> {
  const { state, attempts, dueAt, deliveredAt, injectedFault, isEndpointDisabled } = delivery;
  const isHeld = state === 'pending' && isEndpointDisabled;
  return {
    state: isHeld ? 'held' : state,
    attempts,
    ...time('nextAttemptAt', state === 'pending' && !isHeld ? dueAt : undefined),
    ...time('deliveredAt', deliveredAt),
    ...(injectedFault ? { injectedFault } : {}),
  };
}

/** Without the body of the answer: otherwise a merchant could read through us what it cannot reach itself. */
export function shownAttempt(attempt: KeptAttempt): Static<typeof AttemptShape> {
  const { attemptNo, startedAt, durationMs, url, outcome, status } = attempt;
  return {
    attempt: attemptNo,
    startedAt: startedAt.toISOString(),
    durationMs,
    url,
    outcome,
    ...(status === undefined ? {} : { status }),
  };
}

export function attemptForOperators(attempt: KeptAttempt): Static<typeof OperatorAttemptShape> {
  const { answerStart } = attempt;
  return {
    ...shownAttempt(attempt),
    ...(answerStart ? { answerStart: answerStart.toString('utf8') } : {}),
  };
}

/** An object with the time, or an empty one if there is none. */
export function time<Name extends string>(name: Name, value: Date | null | undefined): { [Key in Name]?: string } {
  return (value ? { [name]: value.toISOString() } : {}) as { [Key in Name]?: string };
}
