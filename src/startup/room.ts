/** The interface between `app.ts` and a room. Each room's `room.ts` returns it together with the room's services. */
import type { RoomCounter, RoomGauge } from '../http/monitoring/metrics.js';
import type { Route } from '../http/route.js';
import type { Job } from '../worker/worker.js';
import type { CleanupStack } from './cleanup.js';

export interface Room {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly gauges?: readonly RoomGauge[];
  readonly counters?: readonly RoomCounter[];
  /** Codes of what an operator should look at, for the readiness probe. They do not make the process not ready. */
  warnings?(): string[];
  /** Called when any process announces a change. The keys are the names of the announcements. */
  readonly onWake?: Readonly<Record<string, () => void>>;
  close?(): Promise<void>;
}

/** Has a room closed when the service stops. */
export function closing(cleanup: CleanupStack) {
  return <Opened extends Room>(room: Opened): Opened => {
    cleanup.add(async () => room.close?.());
    return room;
  };
}
