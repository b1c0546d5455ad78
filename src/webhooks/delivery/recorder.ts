/** Writes what endpoints answered, and which of them are let go: for all lanes of the process together. */
import type { Database } from '../../postgres/database.js';
import { Grouped } from '../../worker/batcher.js';
import type { EndpointRef, Health } from '../endpoint.js';
import { type Claim, letGoOfEndpoints } from './claim-store.js';
import { type Faring, type Outcome, saveOutcomes } from './delivery-store.js';

/** Nobody waits for what is recorded; a statement for each answer would cost more than the sending. */
const recordedWithinMs = 15;
const outcomesAtOnce = 500;
const letGoAtOnce = 500;

interface Answered {
  readonly outcome: Outcome;
  readonly health: Health;
}
interface LettingGo {
  readonly claim: Claim;
  readonly onlyIfIdle: boolean;
}

export class LaneRecorder {
  readonly #outcomes: Grouped<Answered, boolean>;
  readonly #lettingGo: Grouped<LettingGo, boolean>;

  constructor(database: Database, workerId: string) {
    this.#outcomes = new Grouped({
      gatherMs: recordedWithinMs,
      itemsAtOnce: outcomesAtOnce,
      async perform(group: readonly Answered[]) {
        const outcomes = group.map(({ outcome }) => outcome);
        const counted = keysOf(await saveOutcomes(database, workerId, lastFarings(group), outcomes));
        return outcomes.map(({ held }) => counted.has(keyOf(held)));
      },
    });
    this.#lettingGo = new Grouped({
      gatherMs: 0,
      itemsAtOnce: letGoAtOnce,
      async perform(group: readonly LettingGo[]) {
        const free = keysOf(await letGoOfEndpoints(database, workerId, group));
        return group.map(({ claim }) => free.has(keyOf(claim)));
      },
    });
  }

  /** False when the endpoint is not ours any more: then nothing was recorded. */
  record(outcome: Outcome, health: Health): Promise<boolean> {
    return this.#outcomes.add({ outcome, health });
  }

  /** False when something is due there, or when it is not ours any more. */
  letGoIfIdle(claim: Claim): Promise<boolean> {
    return this.#lettingGo.add({ claim, onlyIfIdle: true });
  }

  async letGo(claim: Claim): Promise<void> {
    await this.#lettingGo.add({ claim, onlyIfIdle: false });
  }
}

/** Of several answers of an endpoint the last knows how it fares. */
function lastFarings(group: readonly Answered[]): Faring[] {
  const farings = new Map<string, Faring>();
  for (const { outcome, health } of group) farings.set(keyOf(outcome.held), { held: outcome.held, health });
  return [...farings.values()];
}

function keysOf(endpoints: readonly EndpointRef[]): Set<string> {
  return new Set(endpoints.map(keyOf));
}

function keyOf({ merchantId, channel }: EndpointRef): string {
  return `${merchantId} ${channel}`;
}
