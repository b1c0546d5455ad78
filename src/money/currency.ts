/** The supported currencies. Text from outside becomes a `CurrencyCode` only through `currencyCode`. */
import { minorUnitsByCode } from './iso-4217.js';

/** A union of all codes, so that amounts of two currencies have different types. */
export type CurrencyCode = keyof typeof minorUnitsByCode;

export const currencyCodes: readonly CurrencyCode[] = Object.keys(minorUnitsByCode) as CurrencyCode[];

/** Returns undefined for anything that is not the code of a supported currency. */
export function currencyCode(value: unknown): CurrencyCode | undefined {
  return typeof value === 'string' && Object.hasOwn(minorUnitsByCode, value) ? (value as CurrencyCode) : undefined;
}

export function minorUnits(code: CurrencyCode): 0 | 2 | 3 | 4 {
  return minorUnitsByCode[code];
}
