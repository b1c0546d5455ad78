/**
 * Numbers committed events and queues their deliveries, channel by channel. Because this happens after the commit, no
 * transaction waits for the number of another, and the numbers have no gap. Any number of processes may do this at once.
 */
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { isDatabaseUnavailable, isLockTimeout } from '../postgres/failure.js';
import type { Job } from '../worker/worker.js';
import type { EndpointRef } from './endpoint.js';
import {
  listWaitingChannels,
  type NumberedTurn,
  numberChannel,
  oldestUnnumberedSeconds,
} from './numbering-store.js';

export const numberJobName = 'webhooks.number';
/** Tells the other processes that deliveries were queued. */
export const moreQueued = 'webhooks.more-queued';

/** Each turn waits for the disk, and turns that wait together share one write to it. */
const turnsAtOnce = 8;

export interface NumberingOptions {
  readonly database: Database;
  readonly log: Log;
  /** Called after a commit with the endpoint that deliveries were queued for. */
  readonly onQueued: (endpoint: EndpointRef) => void;
}

export function numberJob(options: NumberingOptions): Job {
  const numbering = new Numbering(options);
  return {
    name: numberJobName,
    everySeconds: 2,
    oldestDueSeconds: () => oldestUnnumberedSeconds(options.database),
    run: (signal) => numbering.run(signal),
  };
}

export class Numbering {
  /** The next round begins after this channel, so that a channel with many events does not keep others waiting. */
  #last: EndpointRef | undefined;

  constructor(readonly options: NumberingOptions) {}

  /** Gives each of the next waiting channels one turn. Returns 0 when no more events can be waiting. */
  async run(signal: AbortSignal): Promise<number> {
    const from = this.#last;
    const { endpoints, isCut } = await listWaitingChannels(this.options.database, from);
    this.#last = isCut ? endpoints.at(-1) : undefined;
    const turns = await this.#takeTurns(endpoints, signal);
    if (turns.some(({ isQueued }) => isQueued)) this.options.database.onWake(new Set([moreQueued]));
    // The next commit wakes the job, so there is no need to look again once every channel was seen.
    const isAllSeen = from === undefined && !isCut && !turns.some(({ mayHaveMore }) => mayHaveMore);
    return isAllSeen ? 0 : Math.max(1, turns.length);
  }

  async #takeTurns(endpoints: readonly EndpointRef[], signal: AbortSignal): Promise<NumberedTurn[]> {
    const turns: NumberedTurn[] = [];
    const next = endpoints.values();
    const takeNext = async () => {
      for (const endpoint of next) if (!signal.aborted) turns.push(await this.#takeTurn(endpoint));
    };
    await Promise.all(Array.from({ length: turnsAtOnce }, takeNext));
    return turns;
  }

  /** A channel that fails does not keep others waiting. Throws only when the database cannot be reached. */
  async #takeTurn(endpoint: EndpointRef): Promise<NumberedTurn> {
    const { database, log, onQueued } = this.options;
    try {
      const turn = await numberChannel(database, endpoint);
      if (turn.isQueued) onQueued(endpoint);
      return turn;
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isLockTimeout(error)) throw error;
      log.warn({ ...endpoint, err: error }, 'events could not be numbered');
      return { events: 0, isQueued: false, mayHaveMore: false };
    }
  }
}
