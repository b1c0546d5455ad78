/** Collects rates from the sources: accepts plausible figures and holds the others. */
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { lockInstance } from '../../postgres/instance.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Job } from '../../worker/worker.js';
import { type PublishedRates, type RateSource, RateSourceFault, type Validators } from '../sources/rate-source.js';
import type { PublishedFigure } from '../sources/source-rates.js';
import * as store from '../sources/source-store.js';
import { startOfDay } from './business-days.js';
import { figuresToHold } from './guard.js';
import { boardChanged, loadRateState, type RatesContext, updateCorridorRates } from './rate-state.js';

const askEverySeconds = 600;
/** After an unexpected error, of this program or of the database. */
const retryInSeconds = 30;
/** Longer than any source may take. If the process ends meanwhile, the source is asked again after this time. */
const claimSeconds = 60;
/** An operator who changes a file expects it to be used at once. */
const checkFilesEverySeconds = 1;

export const collectJobName = 'rates.collect';

/** Asks all sources at the same time, so that a slow or broken one does not delay the others. */
export function collectJob(database: Database, context: RatesContext): Job {
  return {
    name: collectJobName,
    everySeconds: 60,
    async run(signal) {
      const outcomes = await Promise.allSettled(
        context.sources.map((source) => collect(database, context, source, signal)),
      );
      await database.transaction(async (tx) => {
        await lockInstance(tx);
        await updateCorridorRates(tx, context);
      });
      throwFirst(outcomes);
      return 0;
    },
  };
}

/** Asks a source as soon as it reports a change. Only sources that can check this cheaply do so. */
export function watchJob(database: Database, context: RatesContext): Job {
  return {
    name: 'rates.watch-files',
    everySeconds: checkFilesEverySeconds,
    async run(signal) {
      const outcomes = await Promise.allSettled(
        context.sources.map(async (source) => {
          if (!(await source.hasChanged?.())) return;
          await database.transaction((tx) => store.makeSourceDue(tx, source.name));
          await collect(database, context, source, signal);
        }),
      );
      throwFirst(outcomes);
      return 0;
    },
  };
}

function throwFirst(outcomes: readonly PromiseSettledResult<void>[]): void {
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Claims the source, asks it outside any transaction, and records the answer in one. Does nothing when another node has
 * claimed it or it is not due. A fault of the source is recorded. Any other error is recorded and thrown, and the
 * source is asked again soon.
 */
export async function collect(
  database: Database,
  context: RatesContext,
  source: RateSource,
  signal: AbortSignal,
): Promise<void> {
  const validators = await database.transaction((tx) => store.claimSource(tx, source.name, claimSeconds));
  if (!validators) return;
  try {
    const published = await fetchDated(context, source, validators, signal);
    await database.transaction((tx) => record(tx, context, source.name, published));
  } catch (error) {
    // A process that is stopping makes the source due again, so that another process asks it.
    if (signal.aborted) return database.transaction((tx) => store.makeSourceDue(tx, source.name));
    await recordFault(database, context.log, source.name, error);
  }
  source.recorded?.();
}

async function recordFault(database: Database, log: Log, source: string, error: unknown): Promise<void> {
  const isExpected = error instanceof RateSourceFault;
  const fault = isExpected
    ? `${error.reason}: ${error.message}`.slice(0, 500)
    : 'failed: an unexpected error; see the log';
  log.warn({ source, reason: isExpected ? error.reason : 'failed', fault }, 'rate source failed');
  const againInSeconds = isExpected ? askEverySeconds : retryInSeconds;
  await database.transaction((tx) => store.recordSourceCheck(tx, source, { fault, isChanged: false, againInSeconds }));
  if (!isExpected) throw error;
}

async function fetchDated(
  { clock }: RatesContext,
  source: RateSource,
  validators: Validators,
  signal: AbortSignal,
): Promise<PublishedRates | undefined> {
  const published = await source.fetch(validators, signal);
  return published && { ...published, publishedAt: plausibleTime(published.publishedAt, clock.now()) };
}

const hourMs = 3_600_000;
/** In the easternmost time zone (UTC+14) a day begins 14 hours before it begins in UTC. */
const aheadAtMostMs = 14 * hourMs;
const clockToleranceMs = hourMs / 12;

/**
 * Counts a document that is dated ahead as published at the beginning of the current day, so that later documents of
 * the same day are newer. Throws a `RateSourceFault` when the date is further ahead than a time zone can explain.
 */
function plausibleTime(publishedAt: Date, now: Date): Date {
  const aheadMs = publishedAt.getTime() - now.getTime();
  if (aheadMs > aheadAtMostMs) throw new RateSourceFault('malformed', 'The document is dated in the future.');
  return aheadMs > clockToleranceMs ? new Date(startOfDay(now)) : publishedAt;
}

/** Accepts or holds the figures of one publication. Undefined means that nothing has changed since the last one. */
async function record(
  tx: Transaction,
  context: RatesContext,
  source: string,
  published: PublishedRates | undefined,
): Promise<void> {
  const againInSeconds = askEverySeconds;
  if (!published) return store.recordSourceCheck(tx, source, { isChanged: false, againInSeconds });
  await lockInstance(tx);
  const state = await loadRateState(tx, context.sources);
  const before = new Map(
    state.figures.filter((figure) => figure.source === source).map((figure) => [figure.currency, figure]),
  );
  const current = figuresOf(source, published).filter((figure) => !isOlder(figure, before.get(figure.currency)));
  const newFigures = current.filter((figure) => !isKnown(figure, before.get(figure.currency)));
  const currenciesToHold = figuresToHold(state, newFigures, context.clock.now());
  const accepted = newFigures.filter(({ currency }) => !currenciesToHold.has(currency));
  await store.saveCurrentRates(tx, accepted);
  const heldBefore = await store.releaseRates(
    tx,
    source,
    current.map(({ currency }) => currency),
  );
  const held = newFigures
    .filter(({ currency }) => currenciesToHold.has(currency))
    .map((figure) => ({ ...figure, previousRate: before.get(figure.currency)?.rate }));
  await store.holdRates(tx, held);
  logNewHolds(context.log, heldBefore, held);
  const { validators } = published;
  await store.recordSourceCheck(tx, source, { validators, isChanged: true, againInSeconds });
  await updateCorridorRates(tx, context);
  tx.wake(boardChanged);
}

function figuresOf(source: string, { base, publishedAt, rates }: PublishedRates): PublishedFigure[] {
  return [...rates].map(([currency, rate]) => ({ source, base, currency, rate, publishedAt }));
}

function isOlder(figure: PublishedFigure, current: PublishedFigure | undefined): boolean {
  return current !== undefined && current.publishedAt > figure.publishedAt;
}

function isKnown(figure: PublishedFigure, current: PublishedFigure | undefined): boolean {
  return (
    current?.base === figure.base &&
    current.rate === figure.rate &&
    current.publishedAt.getTime() === figure.publishedAt.getTime()
  );
}

function logNewHolds(log: Log, heldBefore: readonly PublishedFigure[], held: readonly store.HeldFigure[]): void {
  const logged = new Set(heldBefore.map(({ base, currency, rate }) => `${base} ${currency} ${rate}`));
  for (const { source, base, currency, rate, previousRate } of held) {
    if (logged.has(`${base} ${currency} ${rate}`)) continue;
    log.warn({ source, base, currency, rate, previousRate }, 'a rate jumped and is held');
  }
}
