/**
 * Keeps in memory on every node what quoting needs: the corridors, their accepted rates, and the rates of all sources.
 */

import type { Clock } from '../../clock.js';
import type { MerchantId } from '../../ids.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Ratio } from '../../money/rate.js';
import type { SealedQueryable } from '../../postgres/statement.js';
import { Refresher } from '../../worker/refresher.js';
import type { Corridor } from '../corridors/corridor.js';
import { alteredCorridors } from '../corridors/row-digests.js';
import type { SourceRates } from '../sources/source-rates.js';
import { type RankedSource, sourceRates } from '../sources/source-rates.js';
import { listHeldRates } from '../sources/source-store.js';
import { type CorridorRate, pairKey, quotableRate, type RatedPair, widestTerms } from './guard.js';
import { heldPairs } from './held-pairs.js';
import { isEcb, type MidRate, midRate } from './mid-rate.js';
import { loadRates } from './rate-state.js';

const refreshEveryMs = 5_000;
const minuteMs = 60_000;

/** Absent currencies match all corridors. */
export interface CorridorFilter {
  readonly fiatIn?: string;
  readonly fiatOut?: string;
}

/** Who asks for a quote, and of what. */
export interface AskedQuote {
  readonly merchantId: MerchantId;
  readonly fiatIn: string;
  readonly fiatOut: string;
}

export class Board extends Refresher {
  #corridors: ReadonlyMap<string, Corridor> = new Map();
  #corridorRates: ReadonlyMap<string, CorridorRate> = new Map();
  #countingPairs: readonly string[] = [];
  /** Corridors that are closed because of a held rate. */
  #held: ReadonlySet<string> = new Set();
  #sourceRates: readonly SourceRates[] = [];
  /** Results are kept until the board is loaded again, and at most for a minute, because rates become too old. */
  #midRates = new Map<string, MidRate | undefined>();
  #quoteRates = new Map<string, MidRate | undefined>();
  #ratesOfMinute = 0;
  #areQuotesStopped: (asked: AskedQuote) => boolean = () => false;

  constructor(
    readonly database: SealedQueryable,
    readonly sources: readonly RankedSource[],
    readonly clock: Clock,
  ) {
    // After a failed refresh the board keeps its rates; the age of each rate is checked when it is used.
    super(() => this.#load(), refreshEveryMs);
  }

  async #load(): Promise<void> {
    const { database, sources, clock } = this;
    const [{ corridors, state }, heldFigures] = await Promise.all([
      loadRates(database, sources),
      listHeldRates(database),
    ]);
    this.#corridors = byPair(await this.#closeAltered(corridors));
    this.#countingPairs = corridors.filter(({ countsUnpaidOrders }) => countsUnpaidOrders).map(keyOf);
    this.#corridorRates = state.corridorRates;
    this.#sourceRates = sourceRates(sources, state.figures);
    const held = heldPairs(state, heldFigures, clock.now());
    const closing = corridors.filter(({ onHold }) => onHold === 'close').map(keyOf);
    this.#held = new Set(closing.filter((key) => held.has(key)));
    this.#midRates = new Map();
    this.#quoteRates = new Map();
  }

  /** What somebody changed in the database, past the service, is closed. */
  async #closeAltered(corridors: readonly Corridor[]): Promise<Corridor[]> {
    const altered = byPair(await alteredCorridors(this.database, corridors));
    return corridors.map((corridor) => (altered.has(keyOf(corridor)) ? { ...corridor, isOpen: false } : corridor));
  }

  /** All corridors that match the filter, closed ones included. */
  corridors({ fiatIn, fiatOut }: CorridorFilter = {}): readonly Corridor[] {
    return [...this.#corridors.values()].filter(
      (corridor) =>
        (fiatIn === undefined || corridor.fiatIn === fiatIn) && (fiatOut === undefined || corridor.fiatOut === fiatOut),
    );
  }

  /** A room above this one says whether operators have stopped quotes. It asks nobody. */
  stopQuotesWhen(areStopped: (asked: AskedQuote) => boolean): void {
    this.#areQuotesStopped = areStopped;
  }

  areQuotesStopped(asked: AskedQuote): boolean {
    return this.#areQuotesStopped(asked);
  }

  openCorridor(fiatIn: CurrencyCode, fiatOut: CurrencyCode): Corridor | undefined {
    const corridor = this.corridor(fiatIn, fiatOut);
    return corridor?.isOpen ? corridor : undefined;
  }

  /** Also a closed one. */
  corridor(fiatIn: CurrencyCode, fiatOut: CurrencyCode): Corridor | undefined {
    return this.#corridors.get(pairKey(fiatIn, fiatOut));
  }

  /** The corridors in which orders that ended unpaid count for their user, as `pairKey` writes them. */
  get countingPairs(): readonly string[] {
    return this.#countingPairs;
  }

  /** Whether the corridor refuses quotes because its rate is held. */
  isHeld({ fiatIn, fiatOut }: Pick<Corridor, 'fiatIn' | 'fiatOut'>): boolean {
    return this.#held.size > 0 && this.#held.has(pairKey(fiatIn, fiatOut));
  }

  /**
   * For values that are not prices, of any two currencies, also while a corridor is held: roughly right is good enough.
   * Undefined when there is no rate, when all are too old, and when all are far from the last accepted one.
   */
  midRate(fiatIn: CurrencyCode, fiatOut: CurrencyCode): MidRate | undefined {
    const now = this.#thisMinute();
    const key = pairKey(fiatIn, fiatOut);
    if (this.#midRates.has(key)) return this.#midRates.get(key);
    return this.#find(this.#midRates, { fiatIn, fiatOut, ...widestTerms }, now);
  }

  /** The ECB's latest euro foreign exchange reference rates, crossed through the euro. Undefined where it has none. */
  ecbRate(fiatIn: CurrencyCode, fiatOut: CurrencyCode): Ratio | undefined {
    const ofEcb = this.#sourceRates.filter(({ source }) => isEcb(source));
    return midRate(ofEcb, { fiatIn, fiatOut }, this.clock.now())?.ratio;
  }

  /** For quotes. Undefined also when all rates are older than the corridor allows. */
  quoteRate(corridor: RatedPair): MidRate | undefined {
    const now = this.#thisMinute();
    const key = keyOf(corridor);
    if (this.#quoteRates.has(key)) return this.#quoteRates.get(key);
    return this.#find(this.#quoteRates, corridor, now);
  }

  /** Returns the time, after it has forgotten what was kept of another minute. */
  #thisMinute(): Date {
    const now = this.clock.now();
    const minute = now.getTime() - (now.getTime() % minuteMs);
    if (minute === this.#ratesOfMinute) return now;
    this.#midRates = new Map();
    this.#quoteRates = new Map();
    this.#ratesOfMinute = minute;
    return now;
  }

  #find(rates: Map<string, MidRate | undefined>, pair: RatedPair, now: Date): MidRate | undefined {
    const key = keyOf(pair);
    const accepted = this.#corridorRates.get(key)?.accepted.ratio;
    const found = quotableRate(this.#sourceRates, pair, accepted, now);
    rates.set(key, found);
    return found;
  }
}

function keyOf({ fiatIn, fiatOut }: Pick<Corridor, 'fiatIn' | 'fiatOut'>): string {
  return pairKey(fiatIn, fiatOut);
}

function byPair<Item extends { fiatIn: CurrencyCode; fiatOut: CurrencyCode }>(
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [keyOf(item), item]));
}
