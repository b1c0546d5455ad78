/**
 * Numbers committed events and queues their deliveries, channel by channel. Because this happens after the commit, no
 * transaction waits for the number of another, and the numbers have no gap. Any number of processes may do this at
 * once.
 */
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable, isLockTimeout } from '../../postgres/failure.js';
import type { Job } from '../../worker/worker.js';
import type { EndpointRef } from '../endpoints/endpoint.js';
import { listWaitingChannels, type NumberedTurn, numberChannel, oldestUnnumberedSeconds } from './numbering-store.js';

export const numberJobName = 'webhooks.number';

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
  /** The round continues after this channel, so that a channel with many events does not keep others waiting. */
  #last: EndpointRef | undefined;
  /** In this round a channel had more events than its turn allows, or another process numbered it. */
  #isAnotherRoundNeeded = false;

  constructor(readonly options: NumberingOptions) {}

  /** Gives each of the next waiting channels one turn. Returns 0 when the round is over and nothing can be waiting. */
  async run(signal: AbortSignal): Promise<number> {
    const { endpoints, isCut } = await listWaitingChannels(this.options.database, this.#last);
    this.#last = isCut ? endpoints.at(-1) : undefined;
    const turns = await this.#takeTurns(endpoints, signal);
    this.#isAnotherRoundNeeded ||= turns.some(({ mayHaveMore }) => mayHaveMore);
    if (isCut) return 1;
    // A commit during the round wakes the job, so there is no need to look again for it.
    const isMoreToDo = this.#isAnotherRoundNeeded;
    this.#isAnotherRoundNeeded = false;
    return Number(isMoreToDo);
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
