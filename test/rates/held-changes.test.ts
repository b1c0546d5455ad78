import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CurrencyCode, currencyCodes } from '../../src/money/currency.js';
import { quotableRate, type RateState, replaceFigures } from '../../src/rates/board/guard.js';
import { heldChanges } from '../../src/rates/board/held-changes.js';
import { midRate } from '../../src/rates/board/mid-rate.js';
import { type PublishedFigure, type RankedSource, sourceRates } from '../../src/rates/sources/source-rates.js';

const now = new Date('2026-11-11T12:00:00Z');
const sources: readonly RankedSource[] = ['ecb', 'file-1'].map((name) => ({ name, ageLimitBusinessDays: 5 }));

const rateTerms = { rateToleranceBasisPoints: 2000, rateMaxAgeHours: 8760 };

/** Calculates the same in the simplest way: all sources twice and every corridor for each figure. */
function simplest({ figures, openCorridors }: RateState, held: PublishedFigure) {
  const before = sourceRates(sources, figures);
  const after = sourceRates(sources, replaceFigures(figures, [held]));
  return openCorridors.flatMap((pair) => {
    const accepted = quotableRate(before, pair, undefined, now)?.ratio;
    const next = midRate(after, pair, now);
    const isFromIt = next?.figures.some((f) => f.source === held.source && f.currency === held.currency);
    const { fiatIn, fiatOut } = pair;
    return next && isFromIt ? [{ fiatIn, fiatOut, accepted, next: next.ratio }] : [];
  });
}

function stateOf(figures: readonly PublishedFigure[], codes: readonly CurrencyCode[]): RateState {
  const openCorridors = codes.flatMap((fiatIn) =>
    codes.filter((fiatOut) => fiatOut !== fiatIn).map((fiatOut) => ({ fiatIn, fiatOut, ...rateTerms })),
  );
  return { sources, figures, openCorridors, corridorRates: new Map() };
}

const cpuMsOf = (work: () => void) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

describe('the changes that a held figure would make', () => {
  it('are those of the simplest calculation, whatever the sources and their bases are', () => {
    const codes: readonly CurrencyCode[] = ['EUR', 'USD', 'MXN', 'KES'];
    const figure = fc.record({
      source: fc.constantFrom('ecb', 'file-1', 'removed'),
      base: fc.constantFrom(...codes),
      currency: fc.constantFrom(...codes),
      rate: fc.integer({ min: 1, max: 9 }).map(String),
      publishedAt: fc.constantFrom(now, new Date('2026-11-10T12:00:00Z'), new Date('2026-01-10T12:00:00Z')),
    });
    const figures = fc.uniqueArray(figure, {
      selector: ({ source, currency }) => source + currency,
      maxLength: 8,
    });
    fc.assert(
      fc.property(figures, figure, (current, held) => {
        const state = stateOf(current, codes);
        expect(heldChanges(state, now)(held)).toEqual(simplest(state, held));
      }),
      { numRuns: 300 },
    );
  });

  it('take less than a third of the time of the simplest calculation', () => {
    const codes = currencyCodes.slice(0, 60);
    const figures = sources.flatMap(({ name }) =>
      codes
        .filter((code) => code !== 'EUR')
        .map((currency) => ({ source: name, base: 'EUR', currency, rate: '2', publishedAt: now })),
    );
    const state = stateOf(figures, codes);
    const held = figures.slice(0, 30).map((figure) => ({ ...figure, rate: '3' }));
    const quick = () => held.forEach(heldChanges(state, now));
    const slow = () => {
      for (const figure of held) simplest(state, figure);
    };
    quick();
    const [quickMs, slowMs] = [cpuMsOf(quick), cpuMsOf(slow)];
    expect(quickMs).toBeLessThan(slowMs / 3);
  });
});
