/** Reads the events of a channel one after the other, so that none is lost and none comes before an earlier one. */
import { RemesaError } from './errors.js';
import type { Event } from './generated/api.schemas.js';

export interface FollowOptions {
  /** The sequence of the last event that you have; 0, the default, for all that the service still has. */
  readonly after?: number;
  /** Ends the loop. */
  readonly signal?: AbortSignal;
  /** How long to wait when there is nothing new: 1,000. */
  readonly idleMs?: number;
  /** Called when the service cannot be asked. It is asked again, ever more rarely, without end. */
  readonly onError?: (error: RemesaError) => void;
}

const pageSize = 100;
const usualIdleMs = 1_000;
const longestPauseMs = 30_000;

export async function* follow(
  read: (after: number, limit: number) => PromiseLike<readonly Event[]>,
  { after = 0, signal, idleMs = usualIdleMs, onError = () => {} }: FollowOptions,
): AsyncGenerator<Event> {
  let last = after;
  for (let failures = 0; !signal?.aborted; ) {
    try {
      const page = await read(last, pageSize);
      failures = 0;
      for (const event of page) {
        const { sequence } = event.data;
        // A test has no number.
        if (sequence === null) continue;
        requireNext(last, sequence);
        yield event;
        last = sequence;
      }
      if (page.length === 0) await pause(idleMs, signal);
    } catch (error) {
      if (!(error instanceof RemesaError) || !isPassing(error)) throw error;
      onError(error);
      await pause(Math.min(longestPauseMs, idleMs * 2 ** failures), signal);
      failures += 1;
    }
  }
}

/** Sequences have no gaps. What is older than the service keeps may be missing at the beginning only. */
function requireNext(last: number, sequence: number): void {
  if (last > 0 && sequence !== last + 1)
    throw new Error(`After the event ${last} came ${sequence}: events between them are no longer kept, or were lost.`);
}

function isPassing({ status }: RemesaError): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
