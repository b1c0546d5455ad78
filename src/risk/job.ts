/** Rates every customer again each day. Each run begins with those who were never rated. */
import { randomUUID } from 'node:crypto';
import type { KycService } from '../kyc/service.js';
import type { Log } from '../log.js';
import type { Account } from '../persons/service.js';
import type { Database } from '../postgres/database.js';
import { doEach } from '../worker/claim.js';
import type { Job } from '../worker/worker.js';
import type { RiskService } from './service.js';
import {
  claimSweepPlace,
  listCheckedWithin,
  listUnrated,
  releaseSweepPlace,
  type SweepPlace,
  saveSweepPlace,
} from './store.js';

export interface RiskJobOptions {
  readonly database: Database;
  readonly kyc: Pick<KycService, 'listHolders'>;
  readonly risk: RiskService;
  readonly log: Log;
}

const jobName = 'risk.rate';
const checkedEveryHours = 24;
const leaseSeconds = 300;
const pageSize = 200;
/** Of those who were never rated, and of all. The next run goes on there. */
const pagesAtMost = 20;
const start: SweepPlace = { merchantId: 0n, userId: 0n };

export function riskJob(options: RiskJobOptions): Job {
  return { name: jobName, everySeconds: 300, run: (signal) => sweep(options, signal) };
}

/** Another worker leaves it alone meanwhile. What a crash left behind is done when the lease ends. */
async function sweep(options: RiskJobOptions, signal: AbortSignal): Promise<number> {
  const { database } = options;
  const claim = randomUUID();
  let place = await database.transaction((tx) => claimSweepPlace(tx, claim, leaseSeconds));
  if (!place) return 0;
  await rateUnrated(options, signal);
  for (let pages = 0; pages < pagesAtMost && !signal.aborted; pages += 1) {
    const holders = await options.kyc.listHolders(database, place, pageSize);
    await ratePage(options, holders);
    const last = holders.at(-1);
    const isWhole = holders.length < pageSize || !last;
    place = isWhole ? start : placeOf(last);
    const current = place;
    if (!(await database.transaction((tx) => saveSweepPlace(tx, claim, current)))) return 0;
    if (isWhole) break;
  }
  await database.transaction((tx) => releaseSweepPlace(tx, claim));
  return 0;
}

async function rateUnrated(options: RiskJobOptions, signal: AbortSignal): Promise<void> {
  let after = start;
  for (let pages = 0; pages < pagesAtMost && !signal.aborted; pages += 1) {
    const unrated = await listUnrated(options.database, after, pageSize);
    await rateEach(options, unrated);
    const last = unrated.at(-1);
    if (unrated.length < pageSize || !last) return;
    after = placeOf(last);
  }
}

function placeOf({ merchantId, userId }: Account): SweepPlace {
  return { merchantId: BigInt(merchantId), userId: BigInt(userId) };
}

async function ratePage(options: RiskJobOptions, holders: readonly Account[]): Promise<void> {
  const { database } = options;
  const due: Account[] = [];
  for (const merchantId of new Set(holders.map((holder) => holder.merchantId))) {
    const own = holders.filter((holder) => holder.merchantId === merchantId);
    const ids = own.map(({ userId }) => userId);
    const checked = await listCheckedWithin(database, merchantId, ids, checkedEveryHours);
    due.push(...own.filter(({ userId }) => !checked.has(userId)));
  }
  await rateEach(options, due);
}

/** One that cannot be rated stops no other, and is tried again with the next sweep. */
async function rateEach({ database, risk, log }: RiskJobOptions, due: readonly Account[]): Promise<void> {
  const done = await doEach(due, (account) => database.transaction((tx) => risk.rate(tx, account)));
  for (const each of done)
    if ('error' in each) log.error({ ...each.row, err: each.error }, 'the risk of a user could not be rated');
}
