/**
 * Keeps in memory on every node what quoting needs: the corridors, their accepted rates, and the rates of all sources.
 */
import type { Clock } from '../../clock.js';
import type { MerchantId } from '../../ids.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable } from '../../postgres/statement.js';
import { Refresher } from '../../worker/refresher.js';
import type { Corridor } from '../corridors/corridor.js';
import { listCorridors } from '../corridors/store.js';
import { listCurrentRates } from '../sources/source-store.js';
import { startOfDay } from './business-days.js';
import { listCorridorRates } from './corridor-rate-store.js';
import { type CorridorRate, pairKey, quotableRate } from './guard.js';
import type { MidRate, SourceRates } from './mid-rate.js';
import { type RankedSource, sourceRates } from './source-rates.js';

const refreshEveryMs = 5_000;

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
  #sourceRates: readonly SourceRates[] = [];
  /**
   * The age of a rate changes once a day (UTC), so a result stays valid for that day or until the board is loaded
   * again.
   */
  #midRates = new Map<string, MidRate | undefined>();
  #midRatesOfDay = 0;
  #areQuotesStopped: (asked: AskedQuote) => boolean = () => false;

  constructor(
    readonly database: Queryable,
    readonly sources: readonly RankedSource[],
    readonly clock: Clock,
  ) {
    // After a failed refresh the board keeps its rates; the age of each rate is checked when it is used.
    super(() => this.#load(), refreshEveryMs);
  }

  async #load(): Promise<void> {
    const [corridors, figures, corridorRates] = await Promise.all([
      listCorridors(this.database),
      listCurrentRates(this.database),
      listCorridorRates(this.database),
    ]);
    this.#corridors = byPair(corridors);
    this.#corridorRates = byPair(corridorRates);
    this.#sourceRates = sourceRates(this.sources, figures);
    this.#midRates = new Map();
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

  /** Undefined when there is no rate, when all are too old, and when all jump from the last accepted one. */
  midRate(fiatIn: CurrencyCode, fiatOut: CurrencyCode): MidRate | undefined {
    const now = this.clock.now();
    const day = startOfDay(now);
    if (day !== this.#midRatesOfDay) {
      this.#midRates = new Map();
      this.#midRatesOfDay = day;
    }
    const key = pairKey(fiatIn, fiatOut);
    if (this.#midRates.has(key)) return this.#midRates.get(key);
    const accepted = this.#corridorRates.get(key)?.accepted.ratio;
    const midRate = quotableRate(this.#sourceRates, { fiatIn, fiatOut }, accepted, now);
    this.#midRates.set(key, midRate);
    return midRate;
  }
}

function byPair<Item extends { fiatIn: CurrencyCode; fiatOut: CurrencyCode }>(
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [pairKey(item.fiatIn, item.fiatOut), item]));
}
