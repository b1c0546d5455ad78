/** Loads the rates from the database and updates the accepted rates of the corridors. */
import type { Clock } from '../../clock.js';
import type { Log } from '../../log.js';
import { isSameRatio, rateToLiteral, roundDownToSignificant } from '../../money/rate.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Corridor } from '../corridors/corridor.js';
import { listCorridors } from '../corridors/store.js';
import type { RateSource } from '../sources/rate-source.js';
import { listCurrentRates } from '../sources/source-store.js';
import { listCorridorRates, saveCorridorRates } from './corridor-rate-store.js';
import { changedCorridorRates } from './corridor-rates.js';
import { type CorridorRate, type HoldReason, pairKey, type RateState } from './guard.js';
import type { MidRate } from './mid-rate.js';

/** Wakes every node to load its board again. */
export const boardChanged = 'rates.board';

export interface RatesContext {
  /** The first is preferred. */
  readonly sources: readonly RateSource[];
  readonly clock: Clock;
  readonly log: Log;
}

export async function loadRateState(database: Queryable, sources: RateState['sources']): Promise<RateState> {
  return (await loadRates(database, sources)).state;
}

/** Also all corridors, closed ones included. */
export async function loadRates(
  database: Queryable,
  sources: RateState['sources'],
): Promise<{ readonly corridors: readonly Corridor[]; readonly state: RateState }> {
  const [corridors, figures, rates] = await Promise.all([
    listCorridors(database),
    listCurrentRates(database),
    listCorridorRates(database),
  ]);
  const openCorridors = corridors.filter(({ isOpen }) => isOpen);
  const corridorRates = new Map(rates.map((rate) => [pairKey(rate.fiatIn, rate.fiatOut), rate]));
  return { corridors, state: { sources, figures, openCorridors, corridorRates } };
}

/**
 * Saves the accepted and held rates that follow from the current figures, and logs each corridor whose rate is newly
 * held. Call `lockInstance` first, as before any change of figures or corridors, so that the decision still holds when
 * it is written. `isAcceptedByOperator` names rates that may jump.
 */
export async function updateCorridorRates(
  tx: Transaction,
  { sources, clock, log }: RatesContext,
  isAcceptedByOperator?: (rate: MidRate) => boolean,
): Promise<void> {
  const state = await loadRateState(tx, sources);
  const changed = changedCorridorRates(state, clock.now(), isAcceptedByOperator);
  if (changed.length === 0) return;
  await saveCorridorRates(tx, changed);
  for (const rate of changed) logNewHold(log, state.corridorRates.get(pairKey(rate.fiatIn, rate.fiatOut)), rate);
  tx.wake(boardChanged);
}

function logNewHold(
  log: Log,
  before: CorridorRate | undefined,
  { fiatIn, fiatOut, accepted, held }: CorridorRate,
): void {
  if (!held || (before?.held && isSameRatio(before.held.ratio, held.ratio))) return;
  const figures = {
    fiatIn,
    fiatOut,
    source: held.source,
    accepted: shownRate(accepted),
    held: shownRate(held),
  };
  log.warn(figures, holdMessages[held.because]);
}

const holdMessages: Readonly<Record<HoldReason, string>> = {
  changed: 'the rate of a corridor jumped and is held',
  sources_differ: 'two sources differ about the rate of a corridor, which is held',
};

/** Writes a rate with as many digits as a quote stores of its mid-market rate. */
export function shownRate({ ratio }: Pick<MidRate, 'ratio'>): string {
  return rateToLiteral(roundDownToSignificant(ratio, 15));
}
