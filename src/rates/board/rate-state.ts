/** The board as the database has it, and the accepted rates of the corridors kept in step with it. */
import type { Clock } from '../../clock.js';
import type { Log } from '../../log.js';
import { rateToLiteral, roundDownToSignificant } from '../../money/rate.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { listCorridors } from '../corridors/store.js';
import type { RateSource } from '../sources/rate-source.js';
import { listCurrentRates } from '../sources/source-store.js';
import { listCorridorRates, saveCorridorRates } from './corridor-rate-store.js';
import { changedCorridorRates, isEqual } from './corridor-rates.js';
import { type CorridorRate, pairKey, type RateState } from './guard.js';
import type { MidRate } from './mid-rate.js';

/** Nodes hear of this and read their board again. */
export const boardChanged = 'rates.board';

export interface RatesContext {
  /** The first is preferred. */
  readonly sources: readonly RateSource[];
  readonly clock: Clock;
  readonly log: Log;
}

export async function loadRateState(
  database: Queryable,
  rankedSources: RateState['rankedSources'],
): Promise<RateState> {
  const corridors = await listCorridors(database);
  const figures = await listCurrentRates(database);
  const rates = await listCorridorRates(database);
  return {
    rankedSources,
    figures,
    openCorridors: corridors.filter(({ isOpen }) => isOpen),
    corridorRates: new Map(rates.map((rate) => [pairKey(rate.fiatIn, rate.fiatOut), rate])),
  };
}

/** The caller has locked the board. Logs each corridor whose rate is held from now on. */
export async function updateCorridorRates(
  tx: Transaction,
  { sources, clock, log }: RatesContext,
  isAcceptedByOperator?: (rate: MidRate) => boolean,
): Promise<void> {
  const board = await loadRateState(tx, sources);
  const settled = changedCorridorRates(board, clock.now(), isAcceptedByOperator);
  if (settled.length === 0) return;
  await saveCorridorRates(tx, settled);
  for (const rate of settled)
    logNewHold(log, board.corridorRates.get(pairKey(rate.fiatIn, rate.fiatOut)), rate);
  tx.wake(boardChanged);
}

function logNewHold(
  log: Log,
  before: CorridorRate | undefined,
  { fiatIn, fiatOut, accepted, held }: CorridorRate,
): void {
  if (!held || (before?.held && isEqual(before.held.ratio, held.ratio))) return;
  const figures = {
    fiatIn,
    fiatOut,
    source: held.source,
    accepted: shownRate(accepted),
    held: shownRate(held),
  };
  log.warn(figures, 'the rate of a corridor jumped and is held back');
}

/** A rate with as many digits as a quote keeps of its mid-market rate. */
export function shownRate({ ratio }: Pick<MidRate, 'ratio'>): string {
  return rateToLiteral(roundDownToSignificant(ratio, 15));
}
