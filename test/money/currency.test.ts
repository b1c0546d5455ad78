import { describe, expect, it } from 'vitest';
import { currencyCode, currencyCodes, minorUnits } from '../../src/money/currency.js';
import { decimalsOf } from './oracle.js';

/** By decimals. */
const iso4217: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `
   AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
   CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
   HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
   MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
   SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
   USD UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

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

  it('is the published list of ISO 4217, without its codes of funds and metals', () => {
    const published = Object.entries(iso4217).flatMap(([decimals, codes]) =>
      codes
        .trim()
        .split(/\s+/)
        .map((code) => [code, Number(decimals)] as const),
    );
    expect(currencyCodes).toHaveLength(158);
    expect(Object.fromEntries(currencyCodes.map((code) => [code, minorUnits(code)]))).toEqual(
      Object.fromEntries(published),
    );
    expect(published.filter(([code, decimals]) => decimalsOf(code) !== decimals)).toEqual([]);
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
