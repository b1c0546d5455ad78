/** A currency is one of the table, by type; the one door for text from outside is `currencyCode`. */
import { minorUnitsByCode } from './iso-4217.js';

/** The members are named, so that amounts of two different ones are different types. */
export type CurrencyCode = keyof typeof minorUnitsByCode;

export const currencyCodes: readonly CurrencyCode[] = Object.keys(minorUnitsByCode) as CurrencyCode[];

export function currencyCode(value: unknown): CurrencyCode | undefined {
  return typeof value === 'string' && Object.hasOwn(minorUnitsByCode, value)
    ? (value as CurrencyCode)
    : undefined;
}

export function minorUnits(code: CurrencyCode): 0 | 2 | 3 | 4 {
  return minorUnitsByCode[code];
}
