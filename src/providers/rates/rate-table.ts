/** Turns what a document lists into rates, or refuses all of it: a document with one impossible figure is not trusted for the others. */
import { type PublishedRates, RateSourceFault } from '../../rates/sources/rate-source.js';
import { plainDecimal } from './figure.js';

export type RateTable = Pick<PublishedRates, 'base' | 'rates'>;

/** `figureOf` reads the text of a figure; undefined where it is none. */
export function rateTable(
  base: unknown,
  listed: Iterable<readonly [currency: unknown, figure: unknown]>,
  figureOf: (text: string) => string | undefined = plainDecimal,
): RateTable {
  if (!isCurrencyCode(base)) throw malformed('The base is not a currency code.');
  const rates = new Map<string, string>();
  for (const [currency, text] of listed) {
    if (!isCurrencyCode(currency)) throw malformed('A rate is given for something that is no currency code.');
    if (rates.has(currency)) throw malformed(`${currency} has two rates.`);
    rates.set(currency, figure(currency, text, figureOf));
  }
  dropBase(base, rates);
  if (rates.size === 0) throw new RateSourceFault('no_rates', 'The document has no rates.');
  return { base, rates };
}

function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value);
}

function figure(currency: string, text: unknown, figureOf: (text: string) => string | undefined): string {
  const read = typeof text === 'string' ? figureOf(text) : undefined;
  if (read === undefined) {
    throw new RateSourceFault('bad_rate', `The rate of ${currency} is not a positive decimal within bounds.`);
  }
  return read;
}

/** Some sources list their base: that must be 1, or the document does not mean what we think. */
function dropBase(base: string, rates: Map<string, string>): void {
  const own = rates.get(base);
  if (own !== undefined && !/^1(\.0+)?$/.test(own)) throw malformed(`The rate of the base ${base} is not 1.`);
  rates.delete(base);
}

function malformed(message: string): RateSourceFault {
  return new RateSourceFault('malformed', message);
}
