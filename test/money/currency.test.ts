import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currencyCode, currencyCodes, minorUnits } from '../../src/money/currency.js';
import { root } from '../house/repository.js';
import { decimalsOf } from './oracle.js';

const isoList = join(root, '../shared/data/iso4217.csv');
const omittedFundsCodes = ['BOV', 'CHE', 'CHW', 'COU', 'MXV', 'USN', 'UYI'];

describe('the currency table', () => {
  it.each([
    ['PKR', 2],
    ['COP', 2],
    ['IDR', 2],
    ['HUF', 2],
    ['IQD', 3],
    ['MGA', 2],
    ['MRU', 2],
    ['XCG', 2],
    ['USD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['VND', 0],
    ['XOF', 0],
    ['UGX', 0],
    ['KWD', 3],
    ['CLF', 4],
  ] as const)('gives %s %i decimals', (code, decimals) => {
    expect(minorUnits(code)).toBe(decimals);
  });

  it('has every active currency once, with the same decimals as a second list', () => {
    expect(currencyCodes).toHaveLength(158);
    expect(new Set(currencyCodes).size).toBe(158);
    expect(currencyCodes.filter((code) => minorUnits(code) !== decimalsOf(code))).toEqual([]);
    expect(currencyCodes.filter((code) => minorUnits(code) !== 2)).toHaveLength(25);
  });

  it.skipIf(!existsSync(isoList))('is the published list of ISO 4217', () => {
    const published = new Map(
      readFileSync(isoList, 'utf8')
        .split(/\r?\n/)
        .flatMap((line) => {
          const [, code, decimals, withdrawn] = /,([A-Z]{3}),\d{3},([^,]*),([^,]*)$/.exec(line) ?? [];
          const isActive = withdrawn === '' && /^\d$/.test(decimals ?? '');
          return code && isActive && !omittedFundsCodes.includes(code)
            ? [[code, Number(decimals)] as const]
            : [];
        }),
    );
    const ours = currencyCodes.map((code) => [code, minorUnits(code)] as const);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(published));
  });
});

describe('a currency code from outside', () => {
  it('is accepted when it is in the table', () => {
    expect(currencyCode('USD')).toBe('USD');
  });

  it.each([
    'usd',
    'USD ',
    'US',
    'USDT',
    '',
    'XAU',
    'XTS',
    'XDR',
    'BGN',
    'HRK',
    'constructor',
    '__proto__',
    'toString',
    840,
    null,
    undefined,
    ['USD'],
    { toString: () => 'USD' },
  ])('is refused when it is %j', (value) => {
    expect(currencyCode(value)).toBeUndefined();
  });
});
