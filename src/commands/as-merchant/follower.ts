/**
 * Follows the events of one channel over the API, and hands each to a receiver. The cursor moves only when the receiver
 * has taken an event, so that none is lost over a restart; one may come twice.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface FollowedEvent {
  readonly id: string;
  readonly channel: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly sequence: number;
    readonly object: { readonly id?: string; readonly status?: string } | null;
  };
}

export interface FollowOptions {
  /** A page of events after this sequence, in order. Throws when the service cannot be asked. */
  readonly read: (after: number) => Promise<readonly FollowedEvent[]>;
  /** Returns once the receiver has taken the event. Throws when it has not. */
  readonly hand: (event: FollowedEvent) => Promise<void>;
  readonly cursor: number;
  readonly saveCursor: (sequence: number) => void;
  /** Says that something failed and is tried again. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

const idleMs = 500;
const shortestPauseMs = 500;
const longestPauseMs = 30_000;

/** Goes on until the signal. */
export async function follow(options: FollowOptions): Promise<void> {
  const { read, hand, saveCursor, signal } = options;
  let { cursor } = options;
  while (!signal.aborted) {
    const events = await untilDone(options, () => read(cursor));
    for (const event of events ?? []) {
      const isTaken = await untilDone(options, async () => {
        await hand(event);
        return true;
      });
      if (!isTaken) return;
      cursor = event.data.sequence;
      saveCursor(cursor);
    }
    if (events?.length === 0) await sleep(idleMs, signal);
  }
}

/** Tries again, ever more rarely. Undefined when the signal came first. */
async function untilDone<Result>(
  { warn, signal }: FollowOptions,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await work();
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
      await sleep(Math.min(longestPauseMs, shortestPauseMs * 2 ** failures), signal);
    }
  }
  return undefined;
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => {});
}
