/** Asks the rate sources, takes what is plausible, and holds back what is not. */
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Job } from '../../worker/worker.js';
import { startOfDay } from '../board/business-days.js';
import { lockRateBoard } from '../board/corridor-rate-store.js';
import { figuresToHold } from '../board/guard.js';
import { boardChanged, loadGuardedBoard, type RatesContext, settleRates } from '../board/guarded-board.js';
import type { PublishedFigure } from '../board/layers.js';
import { type PublishedRates, type RateSource, RateSourceFault, type Validators } from './rate-source.js';
import * as store from './source-store.js';

const askEverySeconds = 600;
/** After an error in this program, or of the database. */
const retryInSeconds = 30;
/** Longer than any source may take. If the process dies, the source is asked again after this time. */
const claimSeconds = 60;
/** Who changes a file wants to see it used. */
const lookAtFilesEverySeconds = 1;

export const collectJobName = 'rates.collect';

/** All sources at once: neither a slow one nor a broken one keeps the others from being asked. */
export function collectJob(database: Database, context: RatesContext): Job {
  return {
    name: collectJobName,
    everySeconds: 60,
    async run(signal) {
      const outcomes = await Promise.allSettled(
        context.sources.map((source) => collect(database, context, source, signal)),
      );
      await database.transaction(async (tx) => {
        await lockRateBoard(tx);
        await settleRates(tx, context);
      });
      throwFirst(outcomes);
      return 0;
    },
  };
}

/** Sources that can say cheaply whether they have something new are asked as soon as they do. */
export function watchJob(database: Database, context: RatesContext): Job {
  return {
    name: 'rates.watch-files',
    everySeconds: lookAtFilesEverySeconds,
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
 * One node claims the source, asks it outside any transaction, and records the answer in one. A fault of the source is
 * recorded. Any other error is recorded and thrown; the source is then asked again soon.
 */
export async function collect(
  database: Database,
  context: RatesContext,
  source: RateSource,
  signal: AbortSignal,
): Promise<void> {
  const known = await database.transaction((tx) => store.claimSource(tx, source.name, claimSeconds));
  if (!known) return;
  try {
    const published = await fetchDated(context, source, known, signal);
    await database.transaction((tx) => record(tx, context, source.name, published));
  } catch (error) {
    // A process that stops leaves the source to the next one.
    if (signal.aborted) return database.transaction((tx) => store.makeSourceDue(tx, source.name));
    await recordFault(database, context.log, source.name, error);
  }
  source.recorded?.();
}

async function recordFault(database: Database, log: Log, source: string, error: unknown): Promise<void> {
  const isForeseen = error instanceof RateSourceFault;
  const fault = isForeseen
    ? `${error.reason}: ${error.message}`.slice(0, 500)
    : 'failed: an unexpected error; the log has it';
  log.warn({ source, reason: isForeseen ? error.reason : 'failed' }, 'rate source failed');
  const againInSeconds = isForeseen ? askEverySeconds : retryInSeconds;
  await database.transaction((tx) =>
    store.recordSourceCheck(tx, source, { fault, isChanged: false, againInSeconds }),
  );
  if (!isForeseen) throw error;
}

async function fetchDated(
  { clock }: RatesContext,
  source: RateSource,
  known: Validators,
  signal: AbortSignal,
): Promise<PublishedRates | undefined> {
  const published = await source.fetch(known, signal);
  return published && { ...published, publishedAt: believableTime(published.publishedAt, clock.now()) };
}

const hourMs = 3_600_000;
/** A day begins in the east (UTC+14) before it begins in UTC. */
const mostAheadMs = 14 * hourMs;
const clockToleranceMs = hourMs / 12;

/**
 * A document that is dated ahead counts as published when the day began, so that whatever honestly follows on this day
 * is newer. One that is further ahead than any time zone explains throws a fault.
 */
function believableTime(publishedAt: Date, now: Date): Date {
  const aheadMs = publishedAt.getTime() - now.getTime();
  if (aheadMs > mostAheadMs)
    throw new RateSourceFault('malformed', 'The document says that it was published in the future.');
  return aheadMs > clockToleranceMs ? new Date(startOfDay(now)) : publishedAt;
}

async function record(
  tx: Transaction,
  context: RatesContext,
  source: string,
  published: PublishedRates | undefined,
): Promise<void> {
  const againInSeconds = askEverySeconds;
  if (!published) return store.recordSourceCheck(tx, source, { isChanged: false, againInSeconds });
  await lockRateBoard(tx);
  const board = await loadGuardedBoard(tx, context.sources);
  const before = new Map(
    board.figures.filter((figure) => figure.source === source).map((figure) => [figure.currency, figure]),
  );
  const current = figuresOf(source, published).filter(
    (figure) => !isOlder(figure, before.get(figure.currency)),
  );
  const news = current.filter((figure) => !isKnown(figure, before.get(figure.currency)));
  const held = figuresToHold(board, news, context.clock.now());
  const taken = news.filter(({ currency }) => !held.has(currency));
  await store.saveCurrentRates(tx, taken);
  const heldBefore = await store.releaseRates(
    tx,
    source,
    current.map(({ currency }) => currency),
  );
  const holding = news
    .filter(({ currency }) => held.has(currency))
    .map((figure) => ({ ...figure, previousRate: before.get(figure.currency)?.rate }));
  await store.holdRates(tx, holding);
  logNewHolds(context.log, heldBefore, holding);
  const { validators } = published;
  await store.recordSourceCheck(tx, source, { validators, isChanged: true, againInSeconds });
  await settleRates(tx, context);
  tx.wake(boardChanged);
}

function figuresOf(source: string, { base, publishedAt, rates }: PublishedRates): PublishedFigure[] {
  return [...rates].map(([currency, rate]) => ({ source, base, currency, rate, publishedAt }));
}

function isOlder(figure: PublishedFigure, last: PublishedFigure | undefined): boolean {
  return last !== undefined && last.publishedAt > figure.publishedAt;
}

function isKnown({ base, rate, publishedAt }: PublishedFigure, last: PublishedFigure | undefined): boolean {
  return last?.base === base && last.rate === rate && last.publishedAt.getTime() === publishedAt.getTime();
}

function logNewHolds(
  log: Log,
  before: readonly PublishedFigure[],
  holding: readonly store.HeldFigure[],
): void {
  const known = new Set(before.map(({ base, currency, rate }) => `${base} ${currency} ${rate}`));
  for (const { source, base, currency, rate, previousRate } of holding) {
    if (known.has(`${base} ${currency} ${rate}`)) continue;
    log.warn({ source, base, currency, rate, previousRate }, 'a rate jumped and is held back');
  }
}
