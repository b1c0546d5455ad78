/** Records results and releases claims for all lanes of the process, many with one statement. */
import type { Database } from '../../postgres/database.js';
import { Batcher } from '../../worker/batcher.js';
import { type EndpointRef, endpointKey, type Health } from '../endpoint.js';
import { type Claim, releaseEndpoints } from './claim-store.js';
import { type EndpointHealth, type Outcome, saveOutcomes } from './delivery-store.js';

/** No caller waits for a record, and a statement for each result would cost more than the sending. */
const gatherOutcomesMs = 15;
const batchSize = 500;

interface Recorded {
  readonly outcome: Outcome;
  readonly health: Health;
}
interface Release {
  readonly claim: Claim;
  readonly onlyIfIdle: boolean;
}

export class LaneRecorder {
  readonly #outcomes: Batcher<Recorded, boolean>;
  readonly #releases: Batcher<Release, boolean>;

  constructor(database: Database, workerId: string) {
    this.#outcomes = new Batcher({
      gatherMs: gatherOutcomesMs,
      batchSize,
      async perform(batch: readonly Recorded[]) {
        const outcomes = batch.map(({ outcome }) => outcome);
        const recorded = keysOf(await saveOutcomes(database, workerId, latestHealth(batch), outcomes));
        return outcomes.map(({ claim }) => recorded.has(endpointKey(claim)));
      },
    });
    this.#releases = new Batcher({
      gatherMs: 0,
      batchSize,
      async perform(batch: readonly Release[]) {
        const released = keysOf(await releaseEndpoints(database, workerId, batch));
        return batch.map(({ claim }) => released.has(endpointKey(claim)));
      },
    });
  }

  /** Returns false when the claim was lost: then nothing was recorded. */
  record(outcome: Outcome, health: Health): Promise<boolean> {
    return this.#outcomes.add({ outcome, health });
  }

  /** Returns false when something is due, or when the claim was lost. */
  releaseIfIdle(claim: Claim): Promise<boolean> {
    return this.#releases.add({ claim, onlyIfIdle: true });
  }

  async release(claim: Claim): Promise<void> {
    await this.#releases.add({ claim, onlyIfIdle: false });
  }
}

/** Each result carries the health after it, so the last one of an endpoint is the current health. */
function latestHealth(batch: readonly Recorded[]): EndpointHealth[] {
  const latest = new Map<string, EndpointHealth>();
  for (const { outcome, health } of batch) {
    latest.set(endpointKey(outcome.claim), { claim: outcome.claim, health });
  }
  return [...latest.values()];
}

function keysOf(endpoints: readonly EndpointRef[]): Set<string> {
  return new Set(endpoints.map(endpointKey));
}
