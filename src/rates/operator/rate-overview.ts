export interface CheckedSource {
  readonly name: string;
  /** Why the last check failed; undefined when it did not. */
  readonly fault: string | undefined;
  readonly failingSince: Date | undefined;
  /** Since its newest figure in use was published; undefined while it has none. */
  readonly ageSeconds: number | undefined;
}

/** The sources that a worker has asked, with the result of the last time. */
export async function checkedSources(database: Queryable): Promise<CheckedSource[]> {
  const [rows, ages] = await Promise.all([listRateSources(database), findSourceAges(database)]);
  return rows.map(({ source, fault, failing_since }) => ({
    name: source,
    fault: fault ?? undefined,
    failingSince: failing_since ?? undefined,
    ageSeconds: ages.get(source),
  }));
}

/**
 * The overview of rates for operators: every source with its figures, and every held rate with what it would change.
 */
import type { RoomGauge } from '../../http/monitoring/metrics.js';
import { divide, type Ratio } from '../../money/rate.js';
import type { Queryable } from '../../postgres/statement.js';
import { businessDaysBetween } from '../board/business-days.js';
import { countHeldRates } from '../board/corridor-rate-store.js';
import type { Pair } from '../board/guard.js';
import { type CorridorChange, heldChanges } from '../board/held-changes.js';
import { loadRateState, type RatesContext, shownRate } from '../board/rate-state.js';
import type { RateSource } from '../sources/rate-source.js';
import type { PublishedFigure } from '../sources/source-rates.js';
import {
  findSourceAges,
  type HeldFigure,
  listHeldRates,
  listRateSources,
  type SourceRow,
} from '../sources/source-store.js';

export async function rateOverview(database: Queryable, { sources, clock }: RatesContext) {
  const now = clock.now();
  const [rows, held, state] = await Promise.all([
    listRateSources(database),
    listHeldRates(database),
    loadRateState(database, sources),
  ]);
  const changesOf = heldChanges(state, now);
  return {
    sources: sources.map((source) => describeSource(source, rows, state.figures, now)),
    held: held.map((figure) => describeHeld(figure, changesOf(figure))),
    heldCorridors: [...state.corridorRates.values()].flatMap(({ held: heldRate, accepted, ...pair }) =>
      heldRate
        ? [
            {
              ...changeOf(pair, accepted.ratio, heldRate.ratio),
              because: heldRate.because,
              source: heldRate.source,
              publishedAt: heldRate.publishedAt.toISOString(),
            },
          ]
        : [],
    ),
  };
}

/** How many figures and corridors wait for an operator. */
export async function numberOfHeldRates(database: Queryable): Promise<number> {
  return [...(await countHeldRates(database)).values()].reduce((sum, count) => sum + count, 0);
}

export function heldRatesGauge(database: Queryable) {
  return {
    name: 'remesa_held_rates',
    help: 'Rates that wait for an operator: figures of sources that jumped, and corridors.',
    label: 'kind',
    read: () => countHeldRates(database),
  };
}

/** Of the sources that are configured. */
export function sourceGauges(database: Queryable, sources: readonly RateSource[]): RoomGauge[] {
  const checked = async () => {
    const names = sources.map(({ name }) => name);
    return (await checkedSources(database)).filter(({ name }) => names.includes(name));
  };
  return [
    {
      name: 'remesa_rate_source_failing',
      help: '1 while a rate source could not be asked, or its answer could not be used.',
      label: 'source',
      read: async () =>
        new Map((await checked()).map(({ name, fault }) => [name, fault === undefined ? 0 : 1] as const)),
    },
    {
      name: 'remesa_rate_age_seconds',
      help: 'Time since the newest figure in use of a rate source was published.',
      label: 'source',
      read: async () =>
        new Map(
          (await checked()).flatMap(({ name, ageSeconds }) =>
            ageSeconds === undefined ? [] : [[name, ageSeconds] as const],
          ),
        ),
    },
  ];
}

function describeSource(
  source: RateSource,
  rows: readonly SourceRow[],
  figures: readonly PublishedFigure[],
  now: Date,
) {
  const row = rows.find((candidate) => candidate.source === source.name);
  const { ageLimitBusinessDays } = source;
  return {
    name: source.name,
    ...(Number.isFinite(ageLimitBusinessDays) ? { ageLimitBusinessDays } : {}),
    ...(row?.checked_at ? { checkedAt: row.checked_at.toISOString() } : {}),
    ...(row?.changed_at ? { changedAt: row.changed_at.toISOString() } : {}),
    ...(row?.fault ? { fault: row.fault } : {}),
    ...(row?.failing_since ? { failingSince: row.failing_since.toISOString() } : {}),
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

/** Rounded to two decimals, for people. */
function changePercent(before: Ratio, after: Ratio): number {
  const { numerator, denominator } = divide(after, before);
  return Number(((numerator - denominator) * 10_000n) / denominator) / 100;
}
