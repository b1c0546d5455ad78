/** The rules of limits, without a database. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import type { MerchantId, UserId } from '../../src/ids.js';
import type { KycLevel } from '../../src/kyc-level.js';
import { amount } from '../../src/money/amount.js';
import type { CurrencyCode } from '../../src/money/currency.js';
import { exceededBy, levelAfter, limitsOf, type Usage } from '../../src/orders/limits/limits.js';
import { LimitService } from '../../src/orders/limits/service.js';
import { centsCeil } from '../../src/orders/limits/usd-value.js';
import type { UserLimits } from '../../src/orders/limits/user-limits.js';

const { limits: table } = readConfig({});
const unused: Usage = {
  amount: { '24h': 0n, '30d': 0n, '365d': 0n },
  orders: { '24h': 0, '30d': 0 },
  unpaidPairs: [],
};
const names = (level: KycLevel | undefined, usage: Usage, cents: bigint) =>
  exceededBy(limitsOf(table, level, usage), cents).map(({ name }) => name);

describe('limits', () => {
  it('admit an order that uses a limit up to the last cent, and refuse one more cent', () => {
    expect(names('LEVEL_1', unused, 20_000n)).toEqual([]);
    expect(names('LEVEL_1', unused, 20_001n)).toEqual(['amount_per_order']);
    const usage = { ...unused, amount: { '24h': 49_000n, '30d': 49_000n, '365d': 49_000n } };
    expect(names('LEVEL_1', usage, 1_000n)).toEqual([]);
    expect(names('LEVEL_1', usage, 1_001n)).toEqual(['amount_24h']);
  });

  it('report every limit that an order exceeds', () => {
    const usage: Usage = {
      amount: { '24h': 50_000n, '30d': 100_000n, '365d': 500_000n },
      orders: { '24h': 5, '30d': 20 },
      unpaidPairs: Array.from({ length: 10 }, () => 'EURMXN'),
    };
    expect(names('LEVEL_1', usage, 20_001n)).toEqual([
      'amount_per_order',
      'amount_24h',
      'amount_30d',
      'amount_365d',
      'orders_24h',
      'orders_30d',
      'unpaid_orders',
    ]);
  });

  it('allow nothing without a level', () => {
    expect(names(undefined, unused, 1n)).toEqual([
      ...['amount_per_order', 'amount_24h', 'amount_30d', 'amount_365d', 'orders_24h', 'orders_30d'],
    ]);
  });

  it('never have less than nothing left, also after a level was lowered', () => {
    const usage = { ...unused, amount: { '24h': 2_000_000n, '30d': 2_000_000n, '365d': 2_000_000n } };
    expect(limitsOf(table, 'LEVEL_1', usage).map(({ left }) => left)).toEqual([...[20_000n, 0n, 0n, 0n, 5n, 20n, 10n]]);
  });

  it('name the level after each', () => {
    expect([undefined, 'LEVEL_1', 'LEVEL_2', 'LEVEL_3'].map((level) => levelAfter(level as KycLevel))).toEqual([
      ...['LEVEL_1', 'LEVEL_2', 'LEVEL_3', undefined],
    ]);
  });
});

describe('the value of an order in US dollars', () => {
  it.each([
    ['EUR', 100_00n, 108_37n, 10_000n],
    ['EUR', 1n, 2n, 1n],
    ['JPY', 15_000n, 98_00n, 15_000n * 98n],
    ['KWD', 1_000n, 326n, 1_000n],
  ] as const)('is exact where it can be: %s', (currency, minor, cents, denominator) => {
    const unit = { EUR: 100n, JPY: 1n, KWD: 1_000n }[currency];
    const ratio = { numerator: cents * denominator * unit, denominator: minor * denominator * 100n };
    expect(centsCeil(amount(currency as CurrencyCode, minor), ratio)).toBe(cents);
  });

  it('is rounded up to the cent, and by less than a cent', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 15n),
        fc.bigInt(1n, 10n ** 12n),
        fc.bigInt(1n, 10n ** 12n),
        fc.constantFrom<[CurrencyCode, bigint]>(['EUR', 100n], ['JPY', 1n], ['KWD', 1_000n], ['CLF', 10_000n]),
        (minor, numerator, denominator, [currency, unit]) => {
          const cents = centsCeil(amount(currency, minor), { numerator, denominator });
          const exact = minor * numerator * 100n;
          expect(cents * denominator * unit >= exact).toBe(true);
          expect((cents - 1n) * denominator * unit < exact).toBe(true);
        },
      ),
    );
  });
});

describe('an assessment', () => {
  const serviceWith = (rate: { numerator: bigint; denominator: bigint } | undefined) =>
    new LimitService({
      table,
      kyc: { levels: async () => [] },
      users: { profile: async (_database, _merchant: MerchantId, _user: UserId) => undefined },
      rates: { midRate: () => rate && { ratio: rate, source: 'ecb' } },
      countingPairs: () => [],
    });
  const holder = (level: KycLevel | undefined): UserLimits => ({
    level,
    country: 'ES',
    limits: limitsOf(table, level, unused),
    unpaidPairs: unused.unpaidPairs,
    next: undefined,
  });
  const bands = [
    { upToMinor: 200_00n, level: 'LEVEL_1' },
    { upToMinor: undefined, level: 'LEVEL_2' },
  ] as const;

  it('values US dollars without a rate', () => {
    const intended = { amountIn: amount('USD', 150_00n), kycBands: bands, corridor: undefined };
    expect(serviceWith(undefined).assess(holder('LEVEL_1'), intended)).toEqual({
      refusals: [],
      counted: { usdMinor: 150_00n, rateSource: 'none' },
    });
  });

  it('freezes the value and the source of its rate', () => {
    const intended = { amountIn: amount('EUR', 100_00n), kycBands: bands, corridor: undefined };
    expect(serviceWith({ numerator: 1_083_650n, denominator: 1_000_000n }).assess(holder('LEVEL_1'), intended)).toEqual(
      {
        refusals: [],
        counted: { usdMinor: 108_37n, rateSource: 'ecb' },
      },
    );
  });

  it('refuses with rates_unavailable when no rate is recent enough', () => {
    const intended = { amountIn: amount('EUR', 100_00n), kycBands: bands, corridor: undefined };
    const { refusals, counted } = serviceWith(undefined).assess(holder('LEVEL_1'), intended);
    expect(refusals.map(({ kind, code }) => [kind, code])).toEqual([['unavailable', 'rates_unavailable']]);
    expect(refusals[0]?.details.retryAfterSeconds).toBe(60);
    expect(counted).toBeUndefined();
  });

  it('asks for the level of the band of the amount, to the cent', () => {
    const codes = (level: KycLevel | undefined, minor: bigint) =>
      serviceWith(undefined)
        .assess(holder(level), { amountIn: amount('USD', minor), kycBands: bands, corridor: undefined })
        .refusals.map(({ code, details }) => [code, details.members?.requiredLevel]);
    expect(codes('LEVEL_1', 200_00n)).toEqual([]);
    expect(codes('LEVEL_2', 200_01n)).toEqual([]);
    expect(codes('LEVEL_1', 200_01n)).toEqual([
      ['kyc_level_required', 'LEVEL_2'],
      ['limit_exceeded', undefined],
    ]);
    expect(codes(undefined, 1n)).toEqual([
      ['kyc_level_required', 'LEVEL_1'],
      ['limit_exceeded', undefined],
    ]);
  });
});
