/** The monitoring rules against histories that are written down, and against an oracle that looks at every pair. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Movement, Terms } from '../../src/cases/monitoring/rule.js';
import { scan } from '../../src/cases/monitoring/scan.js';
import { merchantId, userId } from '../../src/ids.js';

const dayMs = 86_400_000;
const begin = Date.parse('2026-01-01T00:00:00Z');

interface Paid {
  readonly day: number;
  readonly usd?: number;
  readonly person?: string;
  readonly account?: string;
  readonly country?: string;
  /** After how many hours it went back. */
  readonly backAfter?: number;
}

const movements = (all: readonly Paid[]): Movement[] =>
  all.map(({ day, usd = 100, person = 'ana', account = 'lupita', country = 'MX', backAfter }, index) => {
    const paidAt = new Date(begin + day * dayMs);
    return {
      ...{ merchantId: merchantId(1n), userId: userId(1n), orderId: `ord_${index}`, person, account, country, paidAt },
      usdMinor: BigInt(usd) * 100n,
      wentBackAt: backAfter === undefined ? undefined : new Date(paidAt.getTime() + backAfter * 3_600_000),
    };
  });
const firedAt = (terms: Terms, paid: readonly Paid[]) => {
  const all = movements(paid);
  const found = [...scan(terms, () => true, all)];
  return found.flatMap((each) => (each ? [all.indexOf(each.movement)] : []));
};

const structuring = {
  kind: 'structuring',
  parameters: { days: 7, minOrders: 3, thresholdUsd: 1000, withinPercent: 10 },
} as const;
const rapid = { kind: 'rapid_in_out', parameters: { days: 30, hours: 24, minOrders: 2 } } as const;
const manyToOne = { kind: 'many_to_one', parameters: { days: 7, minSenders: 3 } } as const;
const oneToMany = { kind: 'one_to_many', parameters: { days: 7, minRecipients: 3 } } as const;
const sudden = { kind: 'sudden_change', parameters: { days: 10, factor: 5, minUsd: 500 } } as const;
const dormant = { kind: 'dormant_then_active', parameters: { days: 10, dormantDays: 90, minUsd: 500 } } as const;
const geography = { kind: 'geography', parameters: { days: 7, minCountries: 3 } } as const;

describe('a monitoring rule', () => {
  it.each<[string, Terms, readonly Paid[], readonly number[]]>([
    [
      'fires at the third amount just below the threshold',
      structuring,
      [0, 1, 2].map((day) => ({ day, usd: 950 })),
      [2],
    ],
    [
      'leaves amounts that are far below it, or reach it',
      structuring,
      [899, 1000, 950].map((usd, day) => ({ day, usd })),
      [],
    ],
    ['forgets what is older than its window', structuring, [0, 4, 7].map((day) => ({ day, usd: 950 })), []],
    [
      'fires when money went back within hours, twice',
      rapid,
      [
        { day: 0, backAfter: 24 },
        { day: 9, backAfter: 1 },
      ],
      [1],
    ],
    [
      'leaves money that went back late',
      rapid,
      [
        { day: 0, backAfter: 25 },
        { day: 9, backAfter: 1 },
      ],
      [],
    ],
    [
      'fires when three persons pay one account',
      manyToOne,
      ['a', 'b', 'c'].map((person, day) => ({ day, person })),
      [2],
    ],
    ['counts a person once', manyToOne, ['a', 'b', 'a', 'b'].map((person, day) => ({ day, person })), []],
    [
      'fires when one person pays three accounts',
      oneToMany,
      ['a', 'b', 'c'].map((account, day) => ({ day, account })),
      [2],
    ],
    [
      'fires above the usual amount of ten days',
      sudden,
      [
        { day: 0, usd: 900 },
        { day: 100, usd: 500 },
      ],
      [1],
    ],
    [
      'leaves what is usual',
      sudden,
      [
        { day: 0, usd: 9000 },
        { day: 100, usd: 500 },
      ],
      [],
    ],
    ['leaves somebody who pays for the first time', sudden, [{ day: 100, usd: 5000 }], []],
    ['fires after a long silence', dormant, [{ day: 0 }, { day: 91, usd: 500 }], [1]],
    ['leaves somebody who paid lately', dormant, [{ day: 0 }, { day: 60 }, { day: 91, usd: 500 }], []],
    ['fires at the third country', geography, ['MX', 'KE', 'PH'].map((country, day) => ({ day, country })), [2]],
  ])('%s', (_, terms, paid, expected) => {
    expect(firedAt(terms, paid)).toEqual(expected);
  });

  it('raises one alert about one person within its window, and another one after it', () => {
    const paid = Array.from({ length: 11 }, (_, day) => ({ day, usd: 950 }));
    expect(firedAt(structuring, paid)).toEqual([2, 9]);
  });

  it('finds every structured series and no other, however payments are mixed', () => {
    const payment = fc.record({
      day: fc.integer({ min: 0, max: 30 }),
      usd: fc.constantFrom(100, 899, 900, 950, 999, 1000),
      person: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 30 }), (unsorted) => {
        const paid = unsorted.toSorted((left, right) => left.day - right.day);
        const isNear = ({ usd }: { readonly usd: number }) => usd >= 900 && usd < 1000;
        const expected: number[] = [];
        const lastOf = new Map<string, number>();
        paid.forEach((each, index) => {
          // Payments of one day are one moment: those that are listed later count too.
          const near = paid.filter(
            (other) =>
              other.person === each.person && isNear(other) && each.day - other.day >= 0 && each.day - other.day < 7,
          );
          const isQuiet = each.day - (lastOf.get(each.person) ?? -100) < 7;
          if (!isNear(each) || near.length < 3 || isQuiet) return;
          lastOf.set(each.person, each.day);
          expected.push(index);
        });
        expect(firedAt(structuring, paid)).toEqual(expected);
      }),
    );
  });
});
