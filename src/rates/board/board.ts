/** What quoting needs, kept in memory on every node: corridors, their accepted rates, and the figures of all sources. */
import type { Clock } from '../../clock.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Corridor } from '../corridors/corridor.js';
import { listCorridors } from '../corridors/store.js';
import { listCurrentRates } from '../sources/source-store.js';
import { startOfDay } from './business-days.js';
import { listCorridorRates } from './corridor-rate-store.js';
import { type CorridorRate, pairKey, quotableRate } from './guard.js';
import { boardOf, type Layer } from './layers.js';
import type { MidRate, SourceRates } from './mid-rate.js';

const refreshEveryMs = 5_000;

export class Board {
  #corridors: ReadonlyMap<string, Corridor> = new Map();
  #corridorRates: ReadonlyMap<string, CorridorRate> = new Map();
  #sources: readonly SourceRates[] = [];
  /** Rates grow old from one UTC day to the next, so what was found holds for the day, until the board is read again. */
  #found = new Map<string, MidRate | undefined>();
  #foundOnDay = 0;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly database: Queryable,
    readonly layers: readonly Layer[],
    readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    await this.refresh();
    // A board that cannot be read goes on with what it has; the age of each rate is checked when it is used.
    this.#timer = setInterval(() => this.refresh().catch(() => {}), refreshEveryMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Resolves when the board shows what was committed before the call. One refresh runs at a time, so that older data
   * never replaces newer; callers that come meanwhile share the next one.
   */
  async refresh(): Promise<void> {
    await this.#refreshing?.catch(() => {});
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #load(): Promise<void> {
    const [corridors, figures, corridorRates] = await Promise.all([
      listCorridors(this.database),
      listCurrentRates(this.database),
      listCorridorRates(this.database),
    ]);
    this.#corridors = byPair(corridors);
    this.#corridorRates = byPair(corridorRates);
    this.#sources = boardOf(this.layers, figures);
    this.#found = new Map();
  }

  corridors(): readonly Corridor[] {
    return [...this.#corridors.values()];
  }

  openCorridor(fiatIn: CurrencyCode, fiatOut: CurrencyCode): Corridor | undefined {
    const corridor = this.#corridors.get(pairKey(fiatIn, fiatOut));
    return corridor?.isOpen ? corridor : undefined;
  }

  /** Undefined when there is none, when all are too old, and when all jump from the last accepted one. */
  midRate(fiatIn: CurrencyCode, fiatOut: CurrencyCode): MidRate | undefined {
    const now = this.clock.now();
    const day = startOfDay(now);
    if (day !== this.#foundOnDay) {
      this.#found = new Map();
      this.#foundOnDay = day;
    }
    const key = pairKey(fiatIn, fiatOut);
    if (this.#found.has(key)) return this.#found.get(key);
    const accepted = this.#corridorRates.get(key)?.accepted.ratio;
    const found = quotableRate(this.#sources, { fiatIn, fiatOut }, accepted, now);
    this.#found.set(key, found);
    return found;
  }
}

function byPair<Item extends { fiatIn: CurrencyCode; fiatOut: CurrencyCode }>(
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [pairKey(item.fiatIn, item.fiatOut), item]));
}
