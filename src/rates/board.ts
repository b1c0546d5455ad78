/** What quoting needs, kept in memory on every node: open corridors and the rates of all sources, in their order. */
import type { Clock } from '../clock.js';
import { type CurrencyCode, currencyCode } from '../money/currency.js';
import type { Queryable } from '../postgres/statement.js';
import type { Corridor } from './corridor.js';
import { listCorridors } from './corridor-store.js';
import { type BoardRate, type MidRate, midRate, type SourceRates } from './rate-board.js';
import type { RateSource } from './rate-source.js';
import { boardRate, listCurrentRates, type RateRow } from './source-store.js';

const refreshEveryMs = 5_000;

export class Board {
  #corridors: ReadonlyMap<string, Corridor> = new Map();
  #sources: readonly SourceRates[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly database: Queryable,
    readonly layers: readonly Pick<RateSource, 'name' | 'ageLimitBusinessDays'>[],
    readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    await this.refresh();
    // A board that can't be read anew goes on with what it has; the age of each rate is looked at when it is used.
    this.#timer = setInterval(() => this.refresh().catch(() => {}), refreshEveryMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async refresh(): Promise<void> {
    const [corridors, rows] = await Promise.all([
      listCorridors(this.database),
      listCurrentRates(this.database),
    ]);
    this.#corridors = new Map(
      corridors.map((corridor) => [pair(corridor.fiatIn, corridor.fiatOut), corridor]),
    );
    this.#sources = this.layers.flatMap((layer) => sourceRates(layer, rows));
  }

  corridors(): readonly Corridor[] {
    return [...this.#corridors.values()];
  }

  openCorridor(fiatIn: CurrencyCode, fiatOut: CurrencyCode): Corridor | undefined {
    const corridor = this.#corridors.get(pair(fiatIn, fiatOut));
    return corridor?.isOpen ? corridor : undefined;
  }

  midRate(fiatIn: CurrencyCode, fiatOut: CurrencyCode): MidRate | undefined {
    return midRate(this.#sources, fiatIn, fiatOut, this.clock.now());
  }
}

function pair(fiatIn: CurrencyCode, fiatOut: CurrencyCode): string {
  return `${fiatIn}${fiatOut}`;
}

/**
 * By base, the latest first: a source that has changed its base leaves rates behind that mean something else. Only those
 * of one base are ever put together.
 */
function sourceRates(
  { name, ageLimitBusinessDays }: Pick<RateSource, 'name' | 'ageLimitBusinessDays'>,
  rows: readonly RateRow[],
): SourceRates[] {
  const own = rows
    .filter((row) => row.source === name)
    .sort((one, other) => other.published_at.getTime() - one.published_at.getTime());
  return [...new Set(own.map((row) => row.base))].flatMap((text) => {
    const base = currencyCode(text);
    if (base === undefined) return [];
    const ofBase = own
      .filter((row) => row.base === base)
      .flatMap((row) => [boardRate(row) ?? []].filter(isPair));
    return [{ source: name, base, rates: new Map<CurrencyCode, BoardRate>(ofBase), ageLimitBusinessDays }];
  });
}

function isPair(value: [CurrencyCode, BoardRate] | never[]): value is [CurrencyCode, BoardRate] {
  return value.length === 2;
}
