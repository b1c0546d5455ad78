/** Decides submitted cases. A submit wakes the job after its commit; the timer finds what a crash left behind. */
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { doOneByOne } from '../../worker/one-by-one.js';
import type { Job } from '../../worker/worker.js';
import { decideJobName } from '../submissions/service.js';
import type { AutomaticReview } from './automatic.js';
import { type CaseRef, listSubmittedCases, oldestSubmittedSeconds } from './queue-store.js';

const batchSize = 100;

export function decideJob(database: Database, review: AutomaticReview, log: Log): Job {
  const items = {
    next: (passedOver: readonly CaseRef[]) => listSubmittedCases(database, passedOver, batchSize),
    work: (ref: CaseRef) => decideCase(database, review, ref),
    onFailure: ({ caseId }: CaseRef, err: unknown) =>
      log.error({ caseId, err }, 'the automatic decision on a KYC case failed'),
  };
  return {
    name: decideJobName,
    everySeconds: 5,
    run: (signal) => doOneByOne(items, signal),
    oldestDueSeconds: () => oldestSubmittedSeconds(database),
  };
}

/**
 * Screening belongs to the first step, in which no lock is held and no transaction is open. A case that changes between
 * the steps keeps waiting, and the next run decides on what it is then.
 */
async function decideCase(database: Database, review: AutomaticReview, ref: CaseRef): Promise<boolean> {
  const evidence = await review.gather(database, ref);
  if (!evidence || !(await database.transaction((tx) => review.note(tx, evidence)))) return false;
  return database.transaction((tx) => review.conclude(tx, evidence));
}
