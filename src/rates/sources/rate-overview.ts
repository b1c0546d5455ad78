/** What operators see of the rates: every source with its figures, and what is held back with what it would change. */
import { divide, type Ratio } from '../../money/rate.js';
import type { Queryable } from '../../postgres/statement.js';
import { businessDaysBetween } from '../board/business-days.js';
import { countHeldRates } from '../board/corridor-rate-store.js';
import type { Pair } from '../board/guard.js';
import { loadGuardedBoard, type RatesContext, shownRate } from '../board/guarded-board.js';
import type { PublishedFigure } from '../board/layers.js';
import { type CorridorChange, heldChanges } from './held-changes.js';
import type { RateSource } from './rate-source.js';
import { type HeldFigure, listHeldRates, listRateSources, type SourceRow } from './source-store.js';

export async function rateOverview(database: Queryable, { sources, clock }: RatesContext) {
  const now = clock.now();
  const [known, held, board] = await Promise.all([
    listRateSources(database),
    listHeldRates(database),
    loadGuardedBoard(database, sources),
  ]);
  const changesBy = heldChanges(board, now);
  return {
    sources: sources.map((source) => describeSource(source, known, board.figures, now)),
    held: held.map((figure) => describeHeld(figure, changesBy(figure))),
    heldCorridors: [...board.corridorRates.values()].flatMap(({ fiatIn, fiatOut, accepted, held: stated }) =>
      stated
        ? [
            {
              ...changeOf({ fiatIn, fiatOut }, accepted.ratio, stated.ratio),
              source: stated.source,
              publishedAt: stated.publishedAt.toISOString(),
            },
          ]
        : [],
    ),
  };
}

/** For the metrics. */
export function heldRatesGauge(database: Queryable) {
  return {
    name: 'remesa_held_rates',
    help: 'Rates that jumped and wait for an operator: figures of sources, and corridors.',
    label: 'kind',
    read: () => countHeldRates(database),
  };
}

function describeSource(
  source: RateSource,
  known: readonly SourceRow[],
  figures: readonly PublishedFigure[],
  now: Date,
) {
  const row = known.find((checked) => checked.source === source.name);
  const { ageLimitBusinessDays } = source;
  return {
    name: source.name,
    ...(Number.isFinite(ageLimitBusinessDays) ? { ageLimitBusinessDays } : {}),
    ...(row?.checked_at ? { checkedAt: row.checked_at.toISOString() } : {}),
    ...(row?.changed_at ? { changedAt: row.changed_at.toISOString() } : {}),
    ...(row?.fault ? { fault: row.fault } : {}),
    rates: figures
      .filter((figure) => figure.source === source.name)
      .map(({ currency, base, rate, publishedAt }) => ({
        currency,
        base,
        rate,
        publishedAt: publishedAt.toISOString(),
        ageBusinessDays: businessDaysBetween(publishedAt, now),
      })),
  };
}

function describeHeld(held: HeldFigure, changes: readonly CorridorChange[]) {
  const { source, currency, base, rate, previousRate, publishedAt } = held;
  return {
    source,
    currency,
    base,
    rate,
    ...(previousRate === undefined ? {} : { previousRate }),
    publishedAt: publishedAt.toISOString(),
    corridors: changes.map(({ accepted, next, ...pair }) => changeOf(pair, accepted, next)),
  };
}

function changeOf({ fiatIn, fiatOut }: Pair, accepted: Ratio | undefined, next: Ratio) {
  return {
    fiatIn,
    fiatOut,
    ...(accepted ? { acceptedRate: shownRate({ ratio: accepted }) } : {}),
    newRate: shownRate({ ratio: next }),
    ...(accepted ? { changePercent: changePercent(accepted, next) } : {}),
  };
}

/** With two decimals, for people. */
function changePercent(before: Ratio, after: Ratio): number {
  const { numerator, denominator } = divide(after, before);
  return Number(((numerator - denominator) * 10_000n) / denominator) / 100;
}
