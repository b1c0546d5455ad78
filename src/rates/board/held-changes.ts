/** Calculates what accepting a held figure would change. */

import type { Ratio } from '../../money/rate.js';
import type { SourceRates } from '../sources/source-rates.js';
import { type PublishedFigure, sourceRates } from '../sources/source-rates.js';
import {
  jumpsTooFar,
  type Pair,
  pairKey,
  quotableRate,
  type RatedPair,
  type RateState,
  replaceFigures,
} from './guard.js';
import { midRate } from './mid-rate.js';

/** `accepted` is undefined while the corridor has no rate. */
export interface CorridorChange extends Pair {
  readonly accepted: Ratio | undefined;
  readonly next: Ratio;
}

/**
 * Returns a function that lists the open corridors that would be quoted from a figure if it alone were accepted. The
 * rates of all sources are prepared once. For each figure only its own source is prepared again, and only the corridors
 * that it can affect are priced.
 */
export function heldChanges(state: RateState, now: Date): (held: PublishedFigure) => CorridorChange[] {
  const { sources, figures, openCorridors, corridorRates } = state;
  const before = sourceRates(sources, figures);
  const byCurrency = corridorsByCurrency(openCorridors);
  return (held) => {
    const after = sourceRatesWith(state, before, held);
    // A base links two sources, so its rate can be part of any corridor.
    const isBase = after.some(({ base }) => base === held.currency);
    const affected = isBase ? openCorridors : (byCurrency.get(held.currency) ?? []);
    return affected.flatMap((pair) => {
      const { fiatIn, fiatOut } = pair;
      const next = midRate(after, pair, now);
      const usesFigure = next?.figures.some(
        ({ source, currency }) => source === held.source && currency === held.currency,
      );
      if (!next || !usesFigure) return [];
      const current = corridorRates.get(pairKey(fiatIn, fiatOut));
      // The corridor jumped for another reason and is accepted separately.
      const isChanged = current?.held?.because === 'changed';
      if (isChanged && jumpsTooFar(current.accepted.ratio, next.ratio, pair.rateToleranceBasisPoints)) return [];
      const accepted = current?.accepted ?? quotableRate(before, pair, undefined, now);
      return [{ fiatIn, fiatOut, accepted: accepted?.ratio, next: next.ratio }];
    });
  };
}

/** Returns the rates with this figure in place of the current one of its source and currency. */
function sourceRatesWith(
  { sources, figures }: RateState,
  before: readonly SourceRates[],
  held: PublishedFigure,
): SourceRates[] {
  const ofSource = figures.filter((figure) => figure.source === held.source);
  return sources.flatMap((source) =>
    source.name === held.source
      ? sourceRates([source], replaceFigures(ofSource, [held]))
      : before.filter((rates) => rates.source === source.name),
  );
}

function corridorsByCurrency(corridors: readonly RatedPair[]): ReadonlyMap<string, readonly RatedPair[]> {
  const byCurrency = new Map<string, RatedPair[]>();
  for (const pair of corridors) {
    for (const currency of new Set([pair.fiatIn, pair.fiatOut])) {
      const pairs = byCurrency.get(currency) ?? [];
      pairs.push(pair);
      byCurrency.set(currency, pairs);
    }
  }
  return byCurrency;
}
