import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CurrencyCode } from '../../src/money/currency.js';
import { changedCorridorRates } from '../../src/rates/board/corridor-rates.js';
import {
  type CorridorRate,
  figuresToHold,
  type Pair,
  pairKey,
  quotableRate,
  type RatedPair,
  type RateState,
  replaceFigures,
} from '../../src/rates/board/guard.js';
import { heldPairs } from '../../src/rates/board/held-pairs.js';
import type { Figure, MidRate } from '../../src/rates/board/mid-rate.js';
import { defaultRateTerms } from '../../src/rates/corridors/default-terms.js';
import { type PublishedFigure, type RankedSource, sourceRates } from '../../src/rates/sources/source-rates.js';

/** A Wednesday. */
const wednesday = new Date('2026-11-11T12:00:00Z');
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const sources: readonly RankedSource[] = [
  { name: 'ecb', ageLimitBusinessDays: 4 },
  { name: 'json-1', ageLimitBusinessDays: 2 },
  { name: 'file-1', ageLimitBusinessDays: 5 },
];
/** As tolerant as a corridor can be, and with no age limit but those of the sources. */
const widest = { rateToleranceBasisPoints: 2000, rateMaxAgeHours: 8760 };
const openCorridors = (
  [
    ['EUR', 'MXN'],
    ['USD', 'MXN'],
    ['USD', 'EUR'],
    ['GBP', 'MXN'],
    ['GBP', 'EUR'],
  ] as const
).map(([fiatIn, fiatOut]) => ({ fiatIn, fiatOut, ...widest }));

/** The rates room without its database: publishes figures, holds or accepts them, updates the corridors, and quotes. */
class Model {
  now = wednesday;
  sources = sources;
  terms: Omit<RatedPair, keyof Pair> = widest;
  figures: readonly PublishedFigure[] = [];
  readonly corridorRates = new Map<string, CorridorRate>();

  get corridors(): RatedPair[] {
    return openCorridors.map((corridor) => ({ ...corridor, ...this.terms }));
  }

  get state(): RateState {
    const { figures, corridorRates } = this;
    return { sources: this.sources, figures, openCorridors: this.corridors, corridorRates };
  }

  /** Returns the currencies that were held. */
  publish(source: string, base: string, rates: Record<string, string>): string[] {
    const newFigures = Object.entries(rates).map(([currency, rate]) => ({
      source,
      base,
      currency,
      rate,
      publishedAt: this.now,
    }));
    const held = figuresToHold(this.state, newFigures, this.now);
    this.figures = replaceFigures(
      this.figures,
      newFigures.filter(({ currency }) => !held.has(currency)),
    );
    this.updateCorridorRates();
    return [...held].toSorted();
  }

  updateCorridorRates(isAcceptedByOperator?: (rate: MidRate) => boolean): void {
    for (const rate of changedCorridorRates(this.state, this.now, isAcceptedByOperator))
      this.corridorRates.set(pairKey(rate.fiatIn, rate.fiatOut), rate);
  }

  quoted(fiatIn: CurrencyCode, fiatOut: CurrencyCode): number | undefined {
    const accepted = this.corridorRates.get(pairKey(fiatIn, fiatOut))?.accepted.ratio;
    const found = quotableRate(
      sourceRates(this.sources, this.figures),
      { fiatIn, fiatOut, ...this.terms },
      accepted,
      this.now,
    );
    return found && Number(found.ratio.numerator) / Number(found.ratio.denominator);
  }

  held(fiatIn: CurrencyCode, fiatOut: CurrencyCode): string | undefined {
    return this.corridorRates.get(pairKey(fiatIn, fiatOut))?.held?.source;
  }

  heldBecause(fiatIn: CurrencyCode, fiatOut: CurrencyCode): string | undefined {
    return this.corridorRates.get(pairKey(fiatIn, fiatOut))?.held?.because;
  }
}

/** Compares each quoted rate with the one before. */
class QuoteBook {
  count = 0;
  readonly #last = new Map<string, number>();

  /** Throws when a rate moved further than the limit. */
  compare(model: Model): void {
    for (const { fiatIn, fiatOut } of openCorridors) {
      const rate = model.quoted(fiatIn, fiatOut);
      if (rate === undefined) continue;
      const before = this.#last.get(fiatIn + fiatOut) ?? rate;
      if (!within(before, rate)) throw new Error(`${fiatIn}→${fiatOut} went from ${before} to ${rate}`);
      this.#last.set(fiatIn + fiatOut, rate);
      this.count += 1;
    }
  }
}

const perEuro: Readonly<Record<string, number>> = { EUR: 1, USD: 1.1, MXN: 20, GBP: 0.85 };
const currencies = Object.keys(perEuro);
const within = (before: number, after: number) => after <= before * 1.2000001 && after >= before * 0.7999999;

describe('the guard of rates', () => {
  const factor = fc.oneof(
    { weight: 4, arbitrary: fc.double({ min: 0.85, max: 1.15, noNaN: true }) },
    { weight: 2, arbitrary: fc.constantFrom(0.7, 0.79, 1.21, 1.35) },
    { weight: 1, arbitrary: fc.constantFrom(0.0001, 0.01, 100, 9751) },
  );
  const publication = fc.record({
    kind: fc.constant('publish' as const),
    source: fc.constantFrom('ecb', 'json-1', 'file-1'),
    base: fc.constantFrom(...currencies),
    factors: fc.dictionary(fc.constantFrom(...currencies), factor, { minKeys: 1, maxKeys: 4 }),
  });
  const reordering = fc.record({
    kind: fc.constant('order' as const),
    sources: fc.shuffledSubarray([...sources]),
  });
  const waiting = fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 4 }) });
  const events = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: publication },
      { weight: 1, arbitrary: reordering },
      { weight: 1, arbitrary: waiting },
    ),
    { minLength: 2, maxLength: 25 },
  );

  const apply = (model: Model, event: typeof events extends fc.Arbitrary<(infer Event)[]> ? Event : never) => {
    if (event.kind === 'wait') model.now = new Date(model.now.getTime() + event.days * dayMs);
    else if (event.kind === 'order') model.sources = event.sources;
    else model.publish(event.source, event.base, figuresFrom(event.base, event.factors));
  };

  it('never lets a quoted rate change by more than a fifth, whatever is published, reordered or becomes too old', () => {
    let quotes = 0;
    fc.assert(
      fc.property(events, (sequence) => {
        const model = new Model();
        const quoted = new QuoteBook();
        for (const event of sequence) {
          apply(model, event);
          // Checked before and after the corridors are updated, because a node may quote at either moment.
          quoted.compare(model);
          model.updateCorridorRates();
          quoted.compare(model);
        }
        quotes += quoted.count;
      }),
      { numRuns: 100 },
    );
    expect(quotes).toBeGreaterThan(3_000);
  });

  it('accepts all figures of a publication when none changes by more than 9 %', () => {
    const small = fc.double({ min: 0.915, max: 1.085, noNaN: true });
    const moves = fc.record({ USD: small, MXN: small, GBP: small });
    fc.assert(
      fc.property(fc.array(moves, { minLength: 1, maxLength: 5 }), (sequence) => {
        const model = new Model();
        const rates: Record<string, number> = { USD: 1.1, MXN: 20, GBP: 0.85 };
        for (const move of sequence) {
          for (const [currency, by] of Object.entries(move)) rates[currency] = (rates[currency] ?? 1) * by;
          expect(model.publish('ecb', 'EUR', written(rates))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a publication', () => {
  const start = () => {
    const model = new Model();
    expect(model.publish('json-1', 'EUR', { USD: '1.1', MXN: '20', GBP: '0.85' })).toEqual([]);
    return model;
  };

  it('is held completely when it has another base and makes the peso 500 times cheaper', () => {
    const model = start();
    expect(model.publish('json-1', 'MXN', { EUR: '0.0001', USD: '0.00011' })).toEqual(['EUR', 'USD']);
    expect(model.quoted('EUR', 'MXN')).toBe(20);
  });

  it('is accepted when it has another base and means the same', () => {
    const model = start();
    expect(model.publish('json-1', 'MXN', { EUR: '0.05', USD: '0.055' })).toEqual([]);
    expect(model.quoted('USD', 'MXN')).toBeCloseTo(18.18, 2);
  });

  it('is held in both figures when they move apart by 15 % each, because the rate between them jumps', () => {
    const model = start();
    expect(model.publish('json-1', 'EUR', { USD: '0.935', MXN: '23', GBP: '0.85' })).toEqual(['MXN', 'USD']);
    expect(model.quoted('USD', 'MXN')).toBeCloseTo(18.18, 2);
  });

  it('is accepted twice when it changes by 15 % twice: each step is compared with the last accepted rate', () => {
    const model = start();
    expect(model.publish('json-1', 'EUR', { MXN: '23' })).toEqual([]);
    expect(model.publish('json-1', 'EUR', { MXN: '26.45' })).toEqual([]);
    expect(model.quoted('EUR', 'MXN')).toBe(26.45);
  });

  it('is held when it is the first of a preferred source and contradicts the source used so far', () => {
    const model = start();
    expect(model.publish('ecb', 'EUR', { USD: '1.12', MXN: '30' })).toEqual(['MXN']);
    expect(model.quoted('EUR', 'MXN')).toBe(20);
    expect(model.quoted('USD', 'EUR')).toBeCloseTo(1 / 1.12);
  });

  it('does not make a quote jump in two steps at once: what its rate allows for is quoted after the next update', () => {
    const model = start();
    model.sources = [sources[2] as RankedSource, sources[1] as RankedSource];
    model.figures = [...model.figures, peso('file-1', '25', model.now)];
    model.updateCorridorRates();
    expect(model.quoted('EUR', 'MXN')).toBe(20);
    expect(model.publish('json-1', 'EUR', { MXN: '22' })).toEqual([]);
    expect(model.quoted('EUR', 'MXN')).toBe(22);
    expect(model.held('EUR', 'MXN')).toBe('file-1');
    model.updateCorridorRates();
    expect(model.quoted('EUR', 'MXN')).toBe(25);
    expect(model.held('EUR', 'MXN')).toBeUndefined();
  });

  it('is held when a currency returns after a year at another rate', () => {
    const model = start();
    model.now = new Date(model.now.getTime() + 365 * dayMs);
    model.updateCorridorRates();
    expect(model.quoted('EUR', 'MXN')).toBeUndefined();
    expect(model.publish('json-1', 'EUR', { USD: '1.1', MXN: '27' })).toEqual(['MXN']);
    expect(model.quoted('EUR', 'MXN')).toBeUndefined();
    expect(model.quoted('USD', 'EUR')).toBeCloseTo(1 / 1.1);
  });
});

describe('without a publication', () => {
  const twoSources = () => {
    const model = new Model();
    model.sources = [sources[1] as RankedSource];
    model.publish('json-1', 'EUR', { USD: '1.1', MXN: '20' });
    // Not used yet, so nothing is compared with it.
    model.publish('file-1', 'EUR', { USD: '1.1', MXN: '26' });
    return model;
  };

  it('a source that becomes the first and contradicts the previous one is not quoted, and is shown as held', () => {
    const model = twoSources();
    model.sources = [sources[2] as RankedSource, sources[1] as RankedSource];
    expect(model.quoted('EUR', 'MXN')).toBe(20);
    model.updateCorridorRates();
    expect(model.quoted('EUR', 'MXN')).toBe(20);
    expect(model.held('EUR', 'MXN')).toBe('file-1');
    expect(model.held('USD', 'EUR')).toBeUndefined();
  });

  it('a source that replaces one that became too old is not quoted when its rate is 30 % higher', () => {
    const model = twoSources();
    model.sources = [sources[1] as RankedSource, sources[2] as RankedSource];
    model.now = new Date(model.now.getTime() + 5 * dayMs);
    expect(model.quoted('EUR', 'MXN')).toBeUndefined();
    model.updateCorridorRates();
    expect(model.quoted('EUR', 'MXN')).toBeUndefined();
    expect(model.held('EUR', 'MXN')).toBe('file-1');
    expect(model.quoted('USD', 'EUR')).toBeCloseTo(1 / 1.1);
  });

  it('a figure that an operator accepts may jump, except in a corridor that was held for another reason', () => {
    const model = twoSources();
    model.sources = [sources[2] as RankedSource, sources[1] as RankedSource];
    model.updateCorridorRates();
    expect(model.held('EUR', 'MXN')).toBe('file-1');
    const dollar = { source: 'file-1', base: 'EUR', currency: 'USD', rate: '1.6', publishedAt: model.now };
    model.figures = replaceFigures(model.figures, [dollar]);
    const isDollar = ({ source, currency }: Figure) => source === 'file-1' && currency === 'USD';
    model.updateCorridorRates(({ figures }) => figures.some(isDollar));
    expect(model.quoted('USD', 'EUR')).toBeCloseTo(1 / 1.6);
    // The other source says something else. That is another doubt.
    expect(model.heldBecause('USD', 'EUR')).toBe('sources_differ');
    // 20 pesos for a euro were accepted. The 26 of the file are still held.
    expect(model.held('EUR', 'MXN')).toBe('file-1');
    expect(model.quoted('EUR', 'MXN')).toBe(20);
  });

  it('a corridor that was held stays held when a figure that is part of its rate is accepted', () => {
    const model = twoSources();
    model.sources = [sources[2] as RankedSource, sources[1] as RankedSource];
    model.updateCorridorRates();
    model.figures = replaceFigures(model.figures, [peso('file-1', '60', model.now)]);
    model.updateCorridorRates(() => true);
    expect(model.held('EUR', 'MXN')).toBe('file-1');
    expect(model.quoted('EUR', 'MXN')).toBe(20);
  });

  it('a source that replaces another is not quoted when its rate is 30 % higher', () => {
    const model = twoSources();
    model.sources = [sources[2] as RankedSource];
    expect(model.quoted('EUR', 'MXN')).toBeUndefined();
  });
});

describe('the tolerance of a corridor', () => {
  it('decides, up and down, how far its rate may change: the hair beyond it is held', () => {
    for (const [rateToleranceBasisPoints, rate, isHeld] of [
      [300, '20.6', false],
      [300, '20.600001', true],
      [300, '19.4', false],
      [300, '19.399999', true],
      [1000, '22', false],
      [1000, '22.000001', true],
    ] as const) {
      const model = new Model();
      model.terms = { ...widest, rateToleranceBasisPoints };
      model.publish('json-1', 'EUR', { MXN: '20' });
      expect(model.publish('json-1', 'EUR', { MXN: rate })).toEqual(isHeld ? ['MXN'] : []);
    }
  });

  it('is 3 % between two of the most traded or pegged currencies, and 10 % with any other', () => {
    const tolerance = (from: string, to: string) => defaultRateTerms(from, to).rateToleranceBasisPoints;
    expect([
      tolerance('EUR', 'USD'),
      tolerance('GBP', 'EUR'),
      tolerance('AED', 'EUR'),
      tolerance('EUR', 'XOF'),
    ]).toEqual([300, 300, 300, 300]);
    expect([tolerance('EUR', 'MXN'), tolerance('MXN', 'USD'), tolerance('USD', 'NGN')]).toEqual([1000, 1000, 1000]);
  });
});

describe('two sources', () => {
  const bothAt = (first: string, second: string) => {
    const model = new Model();
    model.terms = { ...widest, rateToleranceBasisPoints: 300 };
    model.publish('ecb', 'EUR', { MXN: first, USD: '1.1' });
    model.publish('json-1', 'EUR', { MXN: second, USD: '1.1' });
    return model;
  };

  it('hold the corridor while they differ by more than its tolerance, until they agree again', () => {
    const model = bothAt('20', '20.7');
    expect([model.held('EUR', 'MXN'), model.heldBecause('EUR', 'MXN')]).toEqual(['json-1', 'sources_differ']);
    // No other corridor is concerned.
    expect(model.held('USD', 'EUR')).toBeUndefined();
    model.publish('ecb', 'EUR', { MXN: '20.3', USD: '1.1' });
    expect(model.held('EUR', 'MXN')).toBeUndefined();
  });

  it('hold nothing while they differ by no more, and when the second is too old for the corridor', () => {
    expect(bothAt('20', '20.6').held('EUR', 'MXN')).toBeUndefined();
    const model = bothAt('20', '20.7');
    model.terms = { ...model.terms, rateMaxAgeHours: 24 };
    model.now = new Date(model.now.getTime() + dayMs);
    model.publish('ecb', 'EUR', { MXN: '20', USD: '1.1' });
    model.now = new Date(model.now.getTime() + 1);
    model.updateCorridorRates();
    expect(model.held('EUR', 'MXN')).toBeUndefined();
  });

  it('hold nothing any more once an operator has accepted for the preferred one what the other saw first', () => {
    const model = bothAt('20', '20.7');
    expect(model.publish('ecb', 'EUR', { MXN: '20.7', USD: '1.1' })).toEqual(['MXN']);
    model.figures = replaceFigures(model.figures, [peso('ecb', '20.7', model.now)]);
    model.updateCorridorRates(({ figures }) => figures.some(({ currency }) => currency === 'MXN'));
    expect([model.quoted('EUR', 'MXN'), model.held('EUR', 'MXN')]).toEqual([20.7, undefined]);
  });
});

describe('the age that a corridor allows', () => {
  it('ends quotes to the hour, whatever the source allows', () => {
    const model = new Model();
    model.terms = { ...widest, rateMaxAgeHours: 30 };
    model.publish('ecb', 'EUR', { MXN: '20' });
    const quotedAfter = (ms: number) => {
      model.now = new Date(wednesday.getTime() + ms);
      return model.quoted('EUR', 'MXN');
    };
    expect([quotedAfter(30 * hourMs), quotedAfter(30 * hourMs + 1)]).toEqual([20, undefined]);
  });

  it('does not end the rates of the sandbox, which have no age', () => {
    const model = new Model();
    model.sources = [{ name: 'ecb', ageLimitBusinessDays: Number.POSITIVE_INFINITY }];
    model.terms = { ...widest, rateMaxAgeHours: 1 };
    model.publish('ecb', 'EUR', { MXN: '20' });
    model.now = new Date(wednesday.getTime() + 400 * dayMs);
    expect(model.quoted('EUR', 'MXN')).toBe(20);
  });
});

describe('the corridors in doubt', () => {
  it('are those whose own rate is held and those that would be quoted from a held figure, and no others', () => {
    const model = new Model();
    model.terms = { ...widest, rateToleranceBasisPoints: 1000 };
    model.publish('ecb', 'EUR', { MXN: '20', USD: '1.1', GBP: '0.85' });
    const next = peso('ecb', '14', model.now);
    expect(model.publish('ecb', 'EUR', { MXN: '14', USD: '1.1', GBP: '0.85' })).toEqual(['MXN']);
    expect([...heldPairs(model.state, [next], model.now)].toSorted()).toEqual(['EURMXN', 'GBPMXN', 'USDMXN']);
    expect([...heldPairs(model.state, [], model.now)]).toEqual([]);
  });
});

function peso(source: string, rate: string, publishedAt: Date): PublishedFigure {
  return { source, base: 'EUR', currency: 'MXN', rate, publishedAt };
}

/** The figures of a source with this base, each multiplied by its factor. */
function figuresFrom(base: string, factors: Readonly<Record<string, number>>): Record<string, string> {
  const entries = Object.entries(factors).filter(([currency]) => currency !== base);
  return written(
    Object.fromEntries(
      entries.map(([currency, by]) => [currency, ((perEuro[currency] ?? 1) / (perEuro[base] ?? 1)) * by]),
    ),
  );
}

function written(rates: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, rate.toFixed(12)]));
}
