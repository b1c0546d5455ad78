/** Records the results of a lane: those of a few milliseconds with one statement. */
import type { Database } from '../../postgres/database.js';
import { Batcher } from '../../worker/batcher.js';
import type { Health } from '../endpoints/endpoint.js';
import type { Claim } from './claims/claim-store.js';
import { type Outcome, saveOutcomes } from './delivery-store.js';

/** No caller waits for a record, and a statement for each result would cost more than the sending. */
const gatherMs = 15;
const batchSize = 500;

interface Recorded {
  readonly outcome: Outcome;
  /** The health of the endpoint after this result. */
  readonly health: Health;
}

export class LaneRecorder {
  readonly #outcomes: Batcher<Recorded, boolean>;

  constructor(database: Database, workerId: string, claim: Claim) {
    this.#outcomes = new Batcher({
      gatherMs,
      batchSize,
      async perform(batch: readonly Recorded[]) {
        const { health } = batch.at(-1) as Recorded;
        const outcomes = batch.map(({ outcome }) => outcome);
        const isRecorded = await saveOutcomes(database, workerId, claim, { outcomes, health });
        return batch.map(() => isRecorded);
      },
    });
  }

  /** Returns false when the claim was lost: then nothing was recorded. */
  record(outcome: Outcome, health: Health): Promise<boolean> {
    return this.#outcomes.add({ outcome, health });
  }
}
