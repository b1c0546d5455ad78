/**
 * Checks the rates of a document. One impossible rate refuses the whole document, because the others cannot be trusted.
 */
import { type PublishedRates, RateSourceFault } from '../../rates/sources/rate-source.js';
import { plainDecimal } from './figure.js';

export type RateTable = Pick<PublishedRates, 'base' | 'rates'>;

/** `readRate` returns undefined for a text that is not a rate. Throws `RateSourceFault` when any entry is not valid. */
export function rateTable(
  base: unknown,
  entries: Iterable<readonly [currency: unknown, rate: unknown]>,
  readRate: (text: string) => string | undefined = plainDecimal,
): RateTable {
  if (!isCurrencyCode(base)) throw malformed('The base is not a currency code.');
  const rates = new Map<string, string>();
  for (const [currency, text] of entries) {
    if (!isCurrencyCode(currency)) throw malformed('A rate is listed under a text that is not a currency code.');
    if (rates.has(currency)) throw malformed(`${currency} has two rates.`);
    rates.set(currency, checkedRate(currency, text, readRate));
  }
  removeBase(base, rates);
  if (rates.size === 0) throw new RateSourceFault('no_rates', 'The document has no rates.');
  return { base, rates };
}

function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value);
}

function checkedRate(currency: string, text: unknown, readRate: (text: string) => string | undefined): string {
  const rate = typeof text === 'string' ? readRate(text) : undefined;
  if (rate === undefined) {
    throw new RateSourceFault('bad_rate', `The rate of ${currency} is not a positive decimal within bounds.`);
  }
  return rate;
}

/** Some sources list their base. If its rate is not 1, we misunderstand the document. */
function removeBase(base: string, rates: Map<string, string>): void {
  const baseRate = rates.get(base);
  if (baseRate !== undefined && !/^1(\.0+)?$/.test(baseRate)) throw malformed(`The rate of the base ${base} is not 1.`);
  rates.delete(base);
}

function malformed(message: string): RateSourceFault {
  return new RateSourceFault('malformed', message);
}
