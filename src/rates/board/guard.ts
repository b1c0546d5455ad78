/**
 * Decides which rates may be quoted. A rate is compared with the last accepted rate of its corridor, whatever made it
 * change: a figure, the base of a source, the order of the sources, or a source that became too old.
 */

import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import { isSameRatio, type Ratio, rateFromLiteral, ratioOf } from '../../money/rate.js';
import { largestToleranceBasisPoints, type RateTerms } from '../corridors/corridor.js';
import type { SourceRates } from '../sources/source-rates.js';
import { type PublishedFigure, type RankedSource, sourceRates } from '../sources/source-rates.js';
import { type Figure, type MidRate, midRates } from './mid-rate.js';

export interface Pair {
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
}

/** A pair with what decides which of its rates are believed. */
export type RatedPair = Pair & Pick<RateTerms, 'rateToleranceBasisPoints' | 'rateMaxAgeHours'>;

export type StatedRate = Pick<MidRate, 'ratio' | 'source' | 'publishedAt'>;

/**
 * `changed`: the preferred rate is too far from the accepted one. `sources_differ`: the rate of another source is too
 * far from the preferred one.
 */
export const holdReasons = ['changed', 'sources_differ'] as const;
export type HoldReason = (typeof holdReasons)[number];

/** The last accepted rate of a corridor and, while there is doubt about it, the rate that makes the doubt as `held`. */
export interface CorridorRate extends Pair {
  readonly accepted: StatedRate;
  readonly held: (StatedRate & { readonly because: HoldReason }) | undefined;
}

export function pairKey(fiatIn: CurrencyCode, fiatOut: CurrencyCode): string {
  return fiatIn + fiatOut;
}

const allBasisPoints = 10_000;

/** True when the rate changes by more than the tolerance, up or down. */
export function jumpsTooFar(before: Ratio, after: Ratio, toleranceBasisPoints: number): boolean {
  const beforeScaled = before.numerator * after.denominator;
  const afterScaled = after.numerator * before.denominator * BigInt(allBasisPoints);
  const most = beforeScaled * BigInt(allBasisPoints + toleranceBasisPoints);
  const least = beforeScaled * BigInt(allBasisPoints - toleranceBasisPoints);
  return afterScaled > most || afterScaled < least;
}

/**
 * Returns the rate to quote: the accepted one while the figures still give it, else the one that would be accepted
 * next. A held rate may be near enough to a newly accepted one. It waits for the next update all the same, so that a
 * quote never takes two steps at once.
 */
export function quotableRate(
  rates: readonly SourceRates[],
  pair: RatedPair,
  accepted: Ratio | undefined,
  now: Date,
): MidRate | undefined {
  if (accepted) {
    for (const candidate of midRates(rates, pair, now)) if (isSameRatio(accepted, candidate.ratio)) return candidate;
  }
  return acceptableRate(rates, pair, accepted, now);
}

/** Returns the first rate that does not jump from the accepted one; if none was accepted yet, the first of all. */
export function acceptableRate(
  rates: readonly SourceRates[],
  pair: RatedPair,
  accepted: Ratio | undefined,
  now: Date,
): MidRate | undefined {
  for (const candidate of midRates(rates, pair, now)) {
    if (!accepted || !jumpsTooFar(accepted, candidate.ratio, pair.rateToleranceBasisPoints)) return candidate;
  }
  return undefined;
}

/** Everything that decides which rates are accepted and which are held. */
export interface RateState {
  /** The first is preferred. */
  readonly sources: readonly RankedSource[];
  readonly figures: readonly PublishedFigure[];
  readonly openCorridors: readonly RatedPair[];
  /** By `pairKey`. */
  readonly corridorRates: ReadonlyMap<string, CorridorRate>;
}

/**
 * Returns the currencies whose new figures must be held: an open corridor would jump or lose its rate, or the source
 * would contradict its own earlier figures. The figure that causes the most failures is held first, and then everything
 * is checked again, so that one wrong figure does not make others be held. If the base is new as well, all are held.
 * All new figures must have the same source and base.
 */
export function figuresToHold(
  before: RateState,
  newFigures: readonly PublishedFigure[],
  now: Date,
): ReadonlySet<string> {
  const held = new Set<string>();
  const checks = [...corridorChecks(before, now), ...sourceChecks(before.figures, newFigures[0]?.source)];
  for (;;) {
    const accepted = newFigures.filter(({ currency }) => !held.has(currency));
    const failures = failuresByCurrency(replaceFigures(before.figures, accepted), accepted, checks, now);
    if (failures.size === 0) break;
    const most = Math.max(...failures.values());
    for (const [currency, count] of failures) if (count === most) held.add(currency);
  }
  const holdsAll = held.size > 0 && hasNewBase(before.figures, newFigures);
  return holdsAll ? new Set(newFigures.map(({ currency }) => currency)) : held;
}

function hasNewBase(figures: readonly PublishedFigure[], [first]: readonly PublishedFigure[]): boolean {
  const earlier = figures.filter(({ source }) => source === first?.source);
  return earlier.length > 0 && !earlier.some(({ base }) => base === first?.base);
}

/** Returns the figures after the new ones have replaced those of the same source and currency. */
export function replaceFigures(
  figures: readonly PublishedFigure[],
  newFigures: readonly PublishedFigure[],
): PublishedFigure[] {
  const replaced = new Set(newFigures.map(figureKey));
  return [...figures.filter((figure) => !replaced.has(figureKey(figure))), ...newFigures];
}

/** A rate that must not jump when the new figures are accepted. */
interface Check {
  readonly pair: RatedPair;
  readonly before: Ratio;
  /** The figures that the rate before was made of. */
  readonly figures: readonly Figure[];
  readonly sources: readonly RankedSource[];
}

function corridorChecks({ sources, figures, openCorridors, corridorRates }: RateState, now: Date): Check[] {
  const rates = sourceRates(sources, figures);
  return openCorridors.flatMap((pair) => {
    const accepted = corridorRates.get(pairKey(pair.fiatIn, pair.fiatOut))?.accepted.ratio;
    const quoted = quotableRate(rates, pair, accepted, now);
    const before = accepted ?? quoted?.ratio;
    return before ? [{ pair, before, figures: quoted?.figures ?? [], sources }] : [];
  });
}

/**
 * Checks each earlier figure of the source, whatever its age, as a rate from the base that it was published in. It may
 * change by as much as the most tolerant corridor allows.
 */
function sourceChecks(figures: readonly PublishedFigure[], source: string | undefined): Check[] {
  const sources = [{ name: source ?? '', ageLimitBusinessDays: Number.POSITIVE_INFINITY }];
  return figures.flatMap((figure) => {
    const [fiatIn, fiatOut] = [currencyCode(figure.base), currencyCode(figure.currency)];
    const rate = rateFromLiteral(figure.rate);
    if (figure.source !== source || !fiatIn || !fiatOut || 'fault' in rate) return [];
    const madeOf = [{ source, currency: fiatOut }];
    const pair = { fiatIn, fiatOut, ...widestTerms };
    return [{ pair, before: ratioOf(rate), figures: madeOf, sources }];
  });
}

/** What any corridor may believe, and no age limit but those of the sources. */
export const widestTerms = {
  rateToleranceBasisPoints: largestToleranceBasisPoints,
  rateMaxAgeHours: Number.POSITIVE_INFINITY,
};

/** Counts, for the new figure of each currency, the checks that fail because of it. */
function failuresByCurrency(
  figures: readonly PublishedFigure[],
  newFigures: readonly PublishedFigure[],
  checks: readonly Check[],
  now: Date,
): ReadonlyMap<string, number> {
  const newKeys = new Set(newFigures.map(figureKey));
  const ratesOf = new Map<readonly RankedSource[], readonly SourceRates[]>();
  const counts = new Map<string, number>();
  for (const check of checks) {
    const rates = ratesOf.get(check.sources) ?? sourceRates(check.sources, figures);
    ratesOf.set(check.sources, rates);
    const atFault = figuresAtFault(check, rates, (figure) => newKeys.has(figureKey(figure)), now);
    for (const currency of new Set(atFault.map((figure) => figure.currency)))
      counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return counts;
}

/**
 * Returns the new figures that make the check fail. A rate that jumps without containing a new figure is not quoted, so
 * the next rate is examined instead.
 */
function figuresAtFault(
  { pair, before, figures }: Check,
  rates: readonly SourceRates[],
  isNew: (figure: Figure) => boolean,
  now: Date,
): readonly Figure[] {
  for (const candidate of midRates(rates, pair, now)) {
    if (!jumpsTooFar(before, candidate.ratio, pair.rateToleranceBasisPoints)) return [];
    const newFigures = candidate.figures.filter(isNew);
    if (newFigures.length > 0) return newFigures;
  }
  // There was a rate and now there is none.
  return figures.filter(isNew);
}

function figureKey({ source, currency }: { source: string; currency: string }): string {
  return `${currency} ${source}`;
}
