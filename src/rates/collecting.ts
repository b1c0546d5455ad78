/** Asks the rate sources, believes what is plausible, and holds back what is not. */
import { recordAudit } from '../audit/service.js';
import type { Actor } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';
import { jumpsTooFar } from './plausible.js';
import { type PublishedRates, type RateSource, RateSourceFault } from './rate-source.js';
import * as store from './source-store.js';

/** Nodes hear of this and read their board anew. */
export const boardChanged = 'rates.board';

const askEverySeconds = 600;

export function collectJob(database: Database, sources: readonly RateSource[], log: Log): Job {
  return {
    name: 'rates.collect',
    everySeconds: 60,
    async run(signal) {
      for (const source of sources) await collect(database, source, log, signal);
      return 0;
    },
  };
}

/** Claimed by one node; asked outside any transaction; recorded in one. */
export async function collect(
  database: Database,
  source: RateSource,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const known = await database.transaction((tx) => store.claimSource(tx, source.name, askEverySeconds));
  if (!known) return;
  try {
    const published = await source.fetch(known, signal);
    await database.transaction((tx) => record(tx, source.name, published));
  } catch (error) {
    if (!(error instanceof RateSourceFault)) throw error;
    log.warn({ source: source.name, reason: error.reason }, 'rate source failed');
    const fault = `${error.reason}: ${error.message}`.slice(0, 500);
    await database.transaction((tx) => store.recordSourceCheck(tx, source.name, { fault, isChanged: false }));
  }
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
    if (last && last.published_at > published.publishedAt) continue;
    if (last && jumpsTooFar(last.rate, rate)) {
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

/** The operator's word on a rate that was held back. */
export async function decideHeldRate(
  tx: Transaction,
  by: { actor: Actor; requestId: string },
  source: string,
  currency: string,
  verdict: 'accept' | 'refuse',
): Promise<void> {
  const [held] = await store.releaseRates(tx, source, [currency]);
  if (!held) throw new RemesaError('not_found', 'rate_not_held', 'No such rate is held back.');
  if (verdict === 'accept') {
    const published = { base: held.base, publishedAt: held.published_at };
    await store.saveCurrentRates(tx, source, published, [[currency, held.rate]]);
    tx.wake(boardChanged);
  }
  const details = { rate: held.rate, previousRate: held.previous_rate };
  const action = verdict === 'accept' ? 'rate.accepted' : 'rate.refused';
  await recordAudit(tx, { ...by, action, subject: `rate:${source}:${currency}`, details });
}
