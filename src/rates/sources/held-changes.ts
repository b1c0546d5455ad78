/** What accepting a held figure would change. */
import type { Ratio } from '../../money/rate.js';
import {
  type GuardedBoard,
  jumpsTooFar,
  type Pair,
  pairKey,
  quotableRate,
  withNews,
} from '../board/guard.js';
import { boardOf, type PublishedFigure } from '../board/layers.js';
import { midRate, type SourceRates } from '../board/mid-rate.js';

/** `accepted` is undefined while the corridor has no rate. */
export interface CorridorChange extends Pair {
  readonly accepted: Ratio | undefined;
  readonly next: Ratio;
}

/**
 * Answers a function that lists the open corridors that would be quoted from a figure if it alone were accepted. The
 * board is built once; for each figure only its source is built again, and only the corridors that it can touch are priced.
 */
export function heldChanges(guarded: GuardedBoard, now: Date): (held: PublishedFigure) => CorridorChange[] {
  const { layers, figures, openCorridors, corridorRates } = guarded;
  const before = boardOf(layers, figures);
  const byCurrency = corridorsByCurrency(openCorridors);
  return (held) => {
    const after = boardWith(guarded, before, held);
    // A base links two sources, so its rate can be part of any corridor.
    const isBase = after.some(({ base }) => base === held.currency);
    const touched = isBase ? openCorridors : (byCurrency.get(held.currency) ?? []);
    return touched.flatMap(({ fiatIn, fiatOut }) => {
      const next = midRate(after, fiatIn, fiatOut, now);
      const isFromIt = next?.figures.some(
        ({ source, currency }) => source === held.source && currency === held.currency,
      );
      if (!next || !isFromIt) return [];
      const known = corridorRates.get(pairKey(fiatIn, fiatOut));
      // The corridor jumped for another reason, and waits for an operator itself.
      if (known?.held && jumpsTooFar(known.accepted.ratio, next.ratio)) return [];
      const accepted = known?.accepted ?? quotableRate(before, { fiatIn, fiatOut }, undefined, now);
      return [{ fiatIn, fiatOut, accepted: accepted?.ratio, next: next.ratio }];
    });
  };
}

/** The board with this figure in place of the current one of its source and currency. */
function boardWith(
  { layers, figures }: GuardedBoard,
  before: readonly SourceRates[],
  held: PublishedFigure,
): SourceRates[] {
  const ofSource = figures.filter(({ source }) => source === held.source);
  return layers.flatMap((layer) =>
    layer.name === held.source
      ? boardOf([layer], withNews(ofSource, [held]))
      : before.filter(({ source }) => source === layer.name),
  );
}

function corridorsByCurrency(corridors: readonly Pair[]): ReadonlyMap<string, readonly Pair[]> {
  const found = new Map<string, Pair[]>();
  for (const pair of corridors) {
    for (const currency of new Set([pair.fiatIn, pair.fiatOut])) {
      const pairs = found.get(currency) ?? [];
      pairs.push(pair);
      found.set(currency, pairs);
    }
  }
  return found;
}
