/**
 * Freezes what the other accounts of a person have once a hit is confirmed, merchant by merchant. The account with the
 * hit is frozen in the transaction of the decision; a transaction writes rows of one merchant.
 */
import type { Log } from '../../log.js';
import type { PersonIndex } from '../../persons/service.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable, isLockTimeout } from '../../postgres/failure.js';
import { forEachDue } from '../../worker/for-each-due.js';
import type { Job } from '../../worker/worker.js';
import { type HitRef, listHitsToApply, saveApplied } from './other-accounts-store.js';
import { freezePersons, type HitReviewService } from './review-service.js';

export interface FreezePersonsOptions {
  readonly database: Database;
  readonly persons: Pick<PersonIndex, 'verifiedAccountsOf'>;
  readonly hitReviews: HitReviewService;
  readonly log: Log;
}

export function freezePersonsJob(options: FreezePersonsOptions): Job {
  const { database, log } = options;
  const items = {
    next: (skipped: readonly HitRef[]) => listHitsToApply(database, skipped),
    work: (hit: HitRef) => freezeOthers(options, hit),
    onFailure: ({ hitId }: HitRef, err: unknown) => log.error({ hitId, err }, 'a confirmed hit could not be applied'),
  };
  return { name: freezePersons, everySeconds: 60, run: (signal) => forEachDue(items, signal) };
}

/** Each account in a transaction of its own. One that fails stops no other, and is tried again. */
async function freezeOthers(
  { database, persons, hitReviews, log }: FreezePersonsOptions,
  ref: HitRef,
): Promise<boolean> {
  const { hitId } = ref;
  const confirmed = await hitReviews.confirmed(database, ref);
  let hasFailed = false;
  for (const account of await persons.verifiedAccountsOf(database, confirmed)) {
    try {
      await database.transaction((tx) => hitReviews.freezeOther(tx, confirmed, account));
    } catch (err) {
      if (isDatabaseUnavailable(err) && !isLockTimeout(err)) throw err;
      hasFailed = true;
      log.error({ hitId, ...account, err }, 'what the person with a confirmed hit has could not be frozen');
    }
  }
  if (!hasFailed) await saveApplied(database, ref);
  return !hasFailed;
}
