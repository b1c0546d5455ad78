import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { faultsOf } from './refusal.js';

const form = 'order:N,24h:N,30d:N,365d:N,24h-orders:N,30d-orders:N with whole numbers, amounts in US dollars';

describe('LIMITS_LEVEL_1 to LIMITS_LEVEL_3', () => {
  it('have the documented defaults, in cents', () => {
    expect(readConfig({}).limits).toEqual({
      LEVEL_1: {
        amountPerOrder: 20_000n,
        amount: { '24h': 50_000n, '30d': 100_000n, '365d': 500_000n },
        orders: { '24h': 5, '30d': 20 },
      },
      LEVEL_2: {
        amountPerOrder: 2_500_000n,
        amount: { '24h': 2_500_000n, '30d': 5_000_000n, '365d': 25_000_000n },
        orders: { '24h': 10, '30d': 100 },
      },
      LEVEL_3: {
        amountPerOrder: 7_500_000n,
        amount: { '24h': 7_500_000n, '30d': 15_000_000n, '365d': 100_000_000n },
        orders: { '24h': 20, '30d': 300 },
      },
    });
  });

  it('accept their figures in any order, with spaces', () => {
    const text = '30d-orders:4, 24h-orders:3, 365d:40, 30d:30, 24h:20, order:10';
    expect(readConfig({ LIMITS_LEVEL_1: text }).limits.LEVEL_1).toEqual({
      amountPerOrder: 1_000n,
      amount: { '24h': 2_000n, '30d': 3_000n, '365d': 4_000n },
      orders: { '24h': 3, '30d': 4 },
    });
  });

  it.each([
    ['a figure that is missing', 'order:1,24h:1,30d:1,365d:1,24h-orders:1'],
    ['a figure that is named twice', 'order:1,24h:1,30d:1,365d:1,24h-orders:1,30d-orders:1,order:2'],
    ['a figure that does not exist', 'order:1,24h:1,30d:1,365d:1,24h-orders:1,7d-orders:1'],
    ['cents', 'order:1.50,24h:1,30d:1,365d:1,24h-orders:1,30d-orders:1'],
    ['a negative figure', 'order:-1,24h:1,30d:1,365d:1,24h-orders:1,30d-orders:1'],
    ['a figure of more than nine digits', 'order:1,24h:1,30d:1,365d:1000000000,24h-orders:1,30d-orders:1'],
  ])('refuse %s', (_, text) => {
    expect(faultsOf({ LIMITS_LEVEL_1: text })).toEqual([`LIMITS_LEVEL_1 must be ${form}, not "${text}"`]);
  });

  it('refuse less in a longer window than in a shorter one', () => {
    expect(faultsOf({ LIMITS_LEVEL_1: 'order:5,24h:4,30d:9,365d:9,24h-orders:1,30d-orders:1' })).toEqual([
      'LIMITS_LEVEL_1 must not allow less in a longer window than in a shorter one',
    ]);
  });

  it('refuse a level that allows less than the level below it', () => {
    expect(faultsOf({ LIMITS_LEVEL_2: 'order:200,24h:500,30d:1000,365d:5000,24h-orders:4,30d-orders:20' })).toEqual([
      'LIMITS_LEVEL_2 must not allow less than LIMITS_LEVEL_1',
    ]);
  });
});
