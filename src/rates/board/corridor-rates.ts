/** Decides the accepted and the held rate of each corridor from the current figures, as far as the guard allows. */

import { isSameRatio } from '../../money/rate.js';
import type { SourceRates } from '../sources/source-rates.js';
import { sourceRates } from '../sources/source-rates.js';
import {
  acceptableRate,
  type CorridorRate,
  jumpsTooFar,
  pairKey,
  type RatedPair,
  type RateState,
  type StatedRate,
} from './guard.js';
import { type MidRate, midRate, ratesWithinOne } from './mid-rate.js';

/**
 * Returns the rates of the corridors whose accepted or held rate changes. A rate that `isAcceptedByOperator` may jump,
 * except in a corridor whose rate was held before, because that one jumped for another reason. Where a second source
 * has the pair too, the preferred rate is compared with it.
 */
export function changedCorridorRates(
  { sources, figures, openCorridors, corridorRates }: RateState,
  now: Date,
  isAcceptedByOperator: (rate: MidRate) => boolean = () => false,
): CorridorRate[] {
  const rates = sourceRates(sources, figures);
  const open = new Set(openCorridors.map(({ fiatIn, fiatOut }) => pairKey(fiatIn, fiatOut)));
  const closed = [...corridorRates].filter(([key, { held }]) => held && !open.has(key));
  const changed = openCorridors.flatMap((pair) => {
    const before = corridorRates.get(pairKey(pair.fiatIn, pair.fiatOut));
    const next = nextRate(rates, pair, before, now, isAcceptedByOperator);
    return next && !isSame(before, next) ? [next] : [];
  });
  return [...changed, ...closed.map(([, rate]) => ({ ...rate, held: undefined }))];
}

function nextRate(
  rates: readonly SourceRates[],
  pair: RatedPair,
  before: CorridorRate | undefined,
  now: Date,
  isAcceptedByOperator: (rate: MidRate) => boolean,
): CorridorRate | undefined {
  const { fiatIn, fiatOut, rateToleranceBasisPoints } = pair;
  const preferred = midRate(rates, pair, now);
  // Another node that has not been restarted yet may have sources that this one does not have.
  if (!preferred) return before;
  const mayJump = !before || (before.held?.because !== 'changed' && isAcceptedByOperator(preferred));
  if (mayJump || !jumpsTooFar(before.accepted.ratio, preferred.ratio, rateToleranceBasisPoints)) {
    const other = differingRate(rates, pair, preferred, now);
    return { fiatIn, fiatOut, accepted: preferred, held: other && { ...other, because: 'sources_differ' } };
  }
  const acceptable = acceptableRate(rates, pair, before.accepted.ratio, now);
  const held = { ...preferred, because: 'changed' } as const;
  return { fiatIn, fiatOut, accepted: acceptable ?? before.accepted, held };
}

/** The rate of the next source that has the pair, when it is too far from the preferred one. */
function differingRate(
  rates: readonly SourceRates[],
  pair: RatedPair,
  preferred: MidRate,
  now: Date,
): MidRate | undefined {
  for (const other of ratesWithinOne(rates, pair, now)) {
    if (other.source === preferred.source) continue;
    return jumpsTooFar(preferred.ratio, other.ratio, pair.rateToleranceBasisPoints) ? other : undefined;
  }
  return undefined;
}

function isSame(before: CorridorRate | undefined, next: CorridorRate): boolean {
  return (
    before !== undefined &&
    isSameRate(before.accepted, next.accepted) &&
    isSameRate(before.held, next.held) &&
    before.held?.because === next.held?.because
  );
}

function isSameRate(left: StatedRate | undefined, right: StatedRate | undefined): boolean {
  if (!left || !right) return left === right;
  return (
    isSameRatio(left.ratio, right.ratio) &&
    left.source === right.source &&
    left.publishedAt.getTime() === right.publishedAt.getTime()
  );
}
