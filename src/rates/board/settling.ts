/** Moves the accepted rate of each corridor along with the board, as far as the guard allows. */
import type { Ratio } from '../../money/rate.js';
import {
  type CorridorRate,
  type GuardedBoard,
  jumpsTooFar,
  type Pair,
  pairKey,
  quotableRate,
  type StatedRate,
} from './guard.js';
import { boardOf } from './layers.js';
import { type MidRate, midRate, type SourceRates } from './mid-rate.js';

/**
 * The corridors whose accepted or held rate changes. `isVouchedFor` names the rates that an operator has just accepted:
 * they may jump, except in a corridor whose rate was held before, because that one jumped for another reason.
 */
export function settledRates(
  { layers, figures, openCorridors, corridorRates }: GuardedBoard,
  now: Date,
  isVouchedFor: (rate: MidRate) => boolean = () => false,
): CorridorRate[] {
  const board = boardOf(layers, figures);
  const open = new Set(openCorridors.map(({ fiatIn, fiatOut }) => pairKey(fiatIn, fiatOut)));
  const closed = [...corridorRates].filter(([key, { held }]) => held && !open.has(key));
  const settled = openCorridors.flatMap((pair) => {
    const known = corridorRates.get(pairKey(pair.fiatIn, pair.fiatOut));
    const next = settle(board, pair, known, now, isVouchedFor);
    return next && !isSame(known, next) ? [next] : [];
  });
  return [...settled, ...closed.map(([, known]) => ({ ...known, held: undefined }))];
}

function settle(
  board: readonly SourceRates[],
  { fiatIn, fiatOut }: Pair,
  known: CorridorRate | undefined,
  now: Date,
  isVouchedFor: (rate: MidRate) => boolean,
): CorridorRate | undefined {
  const preferred = midRate(board, fiatIn, fiatOut, now);
  // Another node, not restarted yet, may know sources that this one does not.
  if (!preferred) return known;
  const mayJump = !known || (!known.held && isVouchedFor(preferred));
  if (mayJump || !jumpsTooFar(known.accepted.ratio, preferred.ratio))
    return { fiatIn, fiatOut, accepted: preferred, held: undefined };
  const quoted = quotableRate(board, { fiatIn, fiatOut }, known.accepted.ratio, now);
  return { fiatIn, fiatOut, accepted: quoted ?? known.accepted, held: preferred };
}

function isSame(known: CorridorRate | undefined, settled: CorridorRate): boolean {
  return (
    known !== undefined &&
    isSameRate(known.accepted, settled.accepted) &&
    isSameRate(known.held, settled.held)
  );
}

function isSameRate(left: StatedRate | undefined, right: StatedRate | undefined): boolean {
  if (!left || !right) return left === right;
  return (
    isEqual(left.ratio, right.ratio) &&
    left.source === right.source &&
    left.publishedAt.getTime() === right.publishedAt.getTime()
  );
}

export function isEqual(left: Ratio, right: Ratio): boolean {
  return left.numerator * right.denominator === right.numerator * left.denominator;
}
