/**
 * Continuous screening: when a list changes, everyone with an approved level is screened again, a few at a time. The
 * row of the run holds the place and the lease, so that one process works on it and any other can carry on.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { UserService } from '../../users/service.js';
import type { Job } from '../../worker/worker.js';
import { lockCasesOfUser } from '../cases/store.js';
import { saveScreened } from '../hits/screened-store.js';
import type { HitService, ListsSnapshot, Screened } from '../hits/service.js';
import * as store from './run-store.js';

export interface RescreenOptions {
  readonly database: Database;
  readonly users: UserService;
  readonly hits: HitService;
  readonly screening: {
    snapshot(): ListsSnapshot;
    listStatuses(): readonly { readonly loadedAt?: Date }[];
  };
  readonly peoplePerSecond: number;
  readonly clock: Clock;
  readonly log: Log;
}

const leaseSeconds = 60;
const recheckSeconds = 600;
const largestBatch = 50;

export function rescreenJob(options: RescreenOptions): Job {
  const worker = randomUUID();
  return {
    name: 'kyc.rescreen',
    everySeconds: 5,
    run: (signal) => rescreenBatch(options, worker, signal),
    async oldestDueSeconds() {
      const run = await store.findCurrentRun(options.database);
      const now = options.clock.now().getTime();
      return run && !run.finishedAt ? (now - run.startedAt.getTime()) / 1000 : 0;
    },
  };
}

/** Screens one batch and then waits, so that the pace is kept. Returns how many people were screened. */
async function rescreenBatch(options: RescreenOptions, worker: string, signal: AbortSignal): Promise<number> {
  const { database, peoplePerSecond } = options;
  const startedAt = performance.now();
  const snapshot = options.screening.snapshot();
  if (!snapshot.usability.isUsable) return 0;
  const current = await currentRun(options, snapshot);
  const run = current && (await store.claimCurrentRun(database, current, worker, leaseSeconds));
  if (!run) return 0;
  const people = await store.listPeopleToScreen(database, run, Math.min(largestBatch, peoplePerSecond));
  const last = people.at(-1);
  if (!last) {
    await store.finishCurrentRun(database, run, worker, recheckSeconds);
    return 0;
  }
  const batch = new Batch(options, snapshot);
  for (const person of people) await batch.screen(person);
  await batch.noteClean();
  await store.saveRunProgress(database, run, worker, { last, ...batch.counts });
  const waitMs = (people.length / peoplePerSecond) * 1000 - (performance.now() - startedAt);
  if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => {});
  return people.length;
}

/**
 * Returns the run of these lists, and starts it if they are newer than those of the current run. A process whose lists
 * are older than the current run leaves it to the others: its own lists are about to change too.
 */
async function currentRun(
  { database, screening }: RescreenOptions,
  snapshot: ListsSnapshot,
): Promise<store.Run | undefined> {
  const current = await store.findCurrentRun(database);
  if (current?.listsVersion === snapshot.version) return current;
  const loadedAt = Math.max(...screening.listStatuses().map((list) => list.loadedAt?.getTime() ?? 0));
  if (current && current.startedAt.getTime() >= loadedAt) return undefined;
  await database.transaction((tx) => store.startRun(tx, current, snapshot.version));
  const started = await store.findCurrentRun(database);
  return started?.listsVersion === snapshot.version ? started : undefined;
}

class Batch {
  readonly counts = { screened: 0, hits: 0, failed: 0 };
  readonly #clean = new Map<MerchantId, UserId[]>();

  constructor(
    readonly options: RescreenOptions,
    readonly snapshot: ListsSnapshot,
  ) {}

  /** A person who cannot be screened does not stop the others, and is tried again later. */
  async screen({ merchantId, userId }: store.PersonRef): Promise<void> {
    const { database, hits, log } = this.options;
    try {
      const screened = await hits.screen(database, merchantId, userId, this.snapshot);
      if (!screened) return;
      if (screened.matches.length + screened.exposures.length > 0) await this.#record(screened);
      else this.#clean.set(merchantId, [...(this.#clean.get(merchantId) ?? []), userId]);
      this.counts.screened += 1;
    } catch (err) {
      if (err instanceof RemesaError && err.kind === 'unavailable') throw err;
      this.counts.failed += 1;
      log.error({ merchantId, userId, err }, 'a user cannot be screened again');
    }
  }

  /** One statement for the users of a merchant without any match, who are nearly all. */
  async noteClean(): Promise<void> {
    for (const [merchantId, users] of this.#clean) {
      await this.options.database.transaction((tx) => saveScreened(tx, merchantId, users, this.snapshot.version));
    }
  }

  async #record(screened: Screened): Promise<void> {
    const { database, users, hits } = this.options;
    const { merchantId, userId } = screened.person;
    await database.transaction(async (tx) => {
      // The user was deleted meanwhile.
      if (!(await users.hold(tx, merchantId, userId))) return;
      await lockCasesOfUser(tx, merchantId, userId);
      this.counts.hits += (await hits.record(tx, screened)).addedCount;
    });
  }
}
