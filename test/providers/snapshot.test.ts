/** The rates of the sandbox are complete, dated and correct. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { currencyCode } from '../../src/money/currency.js';
import { sandboxSnapshot } from '../../src/providers/rates/snapshot.js';
import { ecbFigures, peggedFigures, snapshotDay } from '../../src/providers/rates/snapshot-data.js';
import { fetchNew, neverAborted } from './rate-server.js';

const history = new URL('ecb-reference-rates.csv', import.meta.url);
const needed =
  'USD GBP CAD AUD CHF JPY SGD AED MXN PHP INR NGN KES GHS COP PEN BRL ARS CLP DOP GTQ PKR BDT LKR NPR VND IDR MAD EGP XOF XAF UGX TZS ZAR TRY PLN RON HUF CZK SEK NOK DKK NZD HKD THB MYR KRW CNY ILS UAH GEL BOB PYG UYU CRC HNL NIO JMD HTG KWD BHD OMR JOD SAR QAR ETB RWF ZMW MZN';

it('has every currency of the sandbox corridors, and only supported ones', async () => {
  const { rates } = await fetchNew(sandboxSnapshot);
  expect(needed.split(' ').filter((currency) => !rates.has(currency))).toEqual([]);
  expect([...rates.keys()].filter((currency) => currencyCode(currency) === undefined)).toEqual([]);
});

it('has the euro as its base and a date, and is fetched only once', async () => {
  const { base, publishedAt, validators } = await fetchNew(sandboxSnapshot);
  expect([base, publishedAt.toISOString()]).toEqual(['EUR', '2026-04-13T14:00:00.000Z']);
  expect(await sandboxSnapshot.fetch(validators, neverAborted)).toBeUndefined();
});

it('has all ECB rates of its day unchanged', () => {
  const [header = '', ...lines] = readFileSync(history, 'utf8').split('\n');
  const day = lines.find((line) => line.startsWith(snapshotDay))?.split(',') ?? [];
  const published = header.split(',').flatMap((currency, index) => {
    const figure = day[index] ?? '';
    return index > 0 && /\d/.test(figure) ? [[currency, figure] as const] : [];
  });
  expect(new Map(ecbFigures.map(({ currency, perEuro }) => [currency, perEuro]))).toEqual(new Map(published));
});

it('has pegged currencies at exactly their pegged rate', () => {
  const perEuro = new Map([['EUR', '1'], ...ecbFigures.map((figure) => [figure.currency, figure.perEuro] as const)]);
  for (const { currency, perEuro: shown, fixedAt } of peggedFigures) {
    const [price, of] = fixedAt;
    expect(scaled(shown, 12), currency).toBe(scaled(price, 6) * scaled(perEuro.get(of) ?? '', 6));
  }
});

/** The number as an integer with that many decimals. */
function scaled(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
