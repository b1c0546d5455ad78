/** Asks the rate sources, believes what is plausible, and holds back what is not. */
import { recordAudit } from '../audit/service.js';
import type { Actor } from '../caller.js';
import type { Clock } from '../clock.js';
import { RemesaError } from '../errors.js';
import type { Log } from '../log.js';
import { divide, type Ratio, rateFromLiteral, ratioOf } from '../money/rate.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';
import { jumpsTooFar } from './plausible.js';
import { type PublishedRates, type RateSource, RateSourceFault } from './rate-source.js';
import * as store from './source-store.js';

/** Nodes hear of this and read their board anew. */
export const boardChanged = 'rates.board';

const askEverySeconds = 600;

export function collectJob(database: Database, sources: readonly RateSource[], log: Log, clock: Clock): Job {
  return {
    name: 'rates.collect',
    everySeconds: 60,
    async run(signal) {
      for (const source of sources) await collect(database, source, log, clock, signal);
      return 0;
    },
  };
}

/** Claimed by one node; asked outside any transaction; recorded in one. */
export async function collect(
  database: Database,
  source: RateSource,
  log: Log,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const known = await database.transaction((tx) => store.claimSource(tx, source.name, askEverySeconds));
  if (!known) return;
  try {
    const published = await source.fetch(known, signal);
    if (published) refuseFuture(published, clock.now());
    await database.transaction((tx) => record(tx, source.name, published));
  } catch (error) {
    if (!(error instanceof RateSourceFault)) throw error;
    log.warn({ source: source.name, reason: error.reason }, 'rate source failed');
    const fault = `${error.reason}: ${error.message}`.slice(0, 500);
    await database.transaction((tx) => store.recordSourceCheck(tx, source.name, { fault, isChanged: false }));
  }
}

const dayMs = 86_400_000;

/** What dates to the future would never be too old, and all that follows would be older. A day begins earlier in the east. */
function refuseFuture({ publishedAt }: PublishedRates, now: Date): void {
  if (publishedAt.getTime() > now.getTime() + dayMs)
    throw new RateSourceFault('malformed', 'The document says that it was published in the future.');
}

async function record(tx: Transaction, source: string, published: PublishedRates | undefined): Promise<void> {
  if (!published) return store.recordSourceCheck(tx, source, { isChanged: false });
  const before = new Map(
    (await store.listCurrentRates(tx))
      .filter((row) => row.source === source)
      .map((row) => [row.currency, row]),
  );
  const believed: (readonly [string, string])[] = [];
  for (const [currency, rate] of published.rates) {
    const last = before.get(currency);
    if (last && (last.published_at > published.publishedAt || isKnown(last, published, rate))) continue;
    if (last && jumps(last, published, rate)) {
      const { base, publishedAt } = published;
      await store.holdRate(tx, {
        source,
        currency,
        base,
        rate,
        previous_rate: last.rate,
        published_at: publishedAt,
      });
    } else {
      believed.push([currency, rate]);
    }
  }
  await store.saveCurrentRates(tx, source, published, believed);
  await store.releaseRates(
    tx,
    source,
    believed.map(([currency]) => currency),
  );
  await store.recordSourceCheck(tx, source, { validators: published.validators, isChanged: true });
  tx.wake(boardChanged);
}

function isKnown(last: store.RateRow, { base, publishedAt }: PublishedRates, rate: string): boolean {
  return last.base === base && last.rate === rate && last.published_at.getTime() === publishedAt.getTime();
}

/** By what the figure means in the base of the last one; where nothing tells that, it is not believed. */
function jumps(last: store.RateRow, { base, rates }: PublishedRates, rate: string): boolean {
  const inLastBase = last.base === base ? '1' : rates.get(last.base);
  return (
    inLastBase === undefined || jumpsTooFar(exactly(last.rate), divide(exactly(rate), exactly(inLastBase)))
  );
}

function exactly(text: string): Ratio {
  const rate = rateFromLiteral(text);
  if ('fault' in rate) throw new TypeError(`not a rate: ${text}`);
  return ratioOf(rate);
}

/** The operator's word on a rate that was held back. */
export async function decideHeldRate(
  tx: Transaction,
  by: { actor: Actor; requestId: string },
  source: string,
  currency: string,
  verdict: 'accept' | 'refuse',
): Promise<void> {
  const [held] = await store.releaseRates(tx, source, [currency]);
  if (!held) throw new RemesaError('not_found', 'rate_not_held', 'There is no such held rate.');
  if (verdict === 'accept') {
    const published = { base: held.base, publishedAt: held.published_at };
    await store.saveCurrentRates(tx, source, published, [[currency, held.rate]]);
    tx.wake(boardChanged);
  }
  const details = { rate: held.rate, previousRate: held.previous_rate };
  const action = verdict === 'accept' ? 'rate.accepted' : 'rate.refused';
  await recordAudit(tx, { ...by, action, subject: `rate:${source}:${currency}`, details });
}
