/** Which corridors are in doubt: what is known about their rate contradicts what is quoted. Pure. */

import type { PublishedFigure } from '../sources/source-rates.js';
import { pairKey, type RateState } from './guard.js';
import { heldChanges } from './held-changes.js';

/**
 * The open corridors whose own rate is held, and those that would be quoted from a figure that is held. Returns keys as
 * `pairKey` makes them.
 */
export function heldPairs(state: RateState, heldFigures: readonly PublishedFigure[], now: Date): ReadonlySet<string> {
  const pairs = [...state.corridorRates.values()].filter(({ held }) => held !== undefined);
  const changesOf = heldChanges(state, now);
  const changed = heldFigures.flatMap(changesOf);
  return new Set([...pairs, ...changed].map(({ fiatIn, fiatOut }) => pairKey(fiatIn, fiatOut)));
}
