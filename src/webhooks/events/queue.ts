/** Which deliveries the numbered events of a merchant get. Pure. */
import type { Channel, NumberedEvent } from '../../changes/event.js';
import type { DeliveryState, InjectedFault } from '../delivery/delivery.js';

/** A fault that a sandbox merchant has injected into the next events of a channel. */
export interface OpenInjection {
  readonly channel: Channel;
  readonly fault: InjectedFault;
  /** How many events it applies to, and how many of them are over. */
  readonly events: number;
  readonly applied: number;
  /** Used by `delay` only. */
  readonly delaySeconds: number;
}

export interface PlannedDelivery {
  readonly event: NumberedEvent;
  readonly fault: InjectedFault | undefined;
  readonly state: Extract<DeliveryState, 'pending' | 'dropped'>;
  readonly dueAt: Date;
}

/** An event that is held back is due after this time at the latest. */
const overtakenWithinSeconds = 10;

/** A channel without a url gets no deliveries. All first attempts are due at the same time, so their numbers order them. */
export function planDeliveries(
  events: readonly NumberedEvent[],
  dueAt: Date,
  {
    registered,
    injections,
  }: { readonly registered: readonly Channel[]; readonly injections: readonly OpenInjection[] },
): PlannedDelivery[] {
  return registered.flatMap((channel) => {
    const injection = injections.find((open) => open.channel === channel);
    return events
      .filter((event) => event.channel === channel)
      .map((event, index) => planned(event, dueAt, injection, index + 1));
  });
}

/** `rank`: the event is this one among those that are numbered now. */
function planned(
  event: NumberedEvent,
  dueAt: Date,
  injection: OpenInjection | undefined,
  rank: number,
): PlannedDelivery {
  const fault = injection && faultOf(injection, rank);
  const delaySeconds =
    fault === 'delay' ? (injection?.delaySeconds ?? 0) : fault === 'reorder' ? overtakenWithinSeconds : 0;
  return {
    event,
    fault,
    state: fault === 'drop' ? 'dropped' : 'pending',
    dueAt: new Date(dueAt.getTime() + 1000 * delaySeconds),
  };
}

/** `reorder` holds back every other event, so that the next one overtakes it. */
function faultOf({ fault, events, applied }: OpenInjection, rank: number): InjectedFault | undefined {
  const place = applied + rank;
  if (place > events || (fault === 'reorder' && place % 2 === 0)) return undefined;
  return fault;
}
