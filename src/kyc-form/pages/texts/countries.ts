/** The countries by their names in the language of the page, in the order of its alphabet. */
import { iso31661 } from 'iso-3166';
import { type Locale, locales } from '../../../locale.js';

export interface Country {
  readonly code: string;
  readonly name: string;
}

export function countriesIn(locale: Locale, allowed: readonly string[] | undefined): readonly Country[] {
  const all = countriesByLocale.get(locale) ?? [];
  return allowed ? all.filter(({ code }) => allowed.includes(code)) : all;
}

export function countryName(locale: Locale, code: string): string {
  return countriesByLocale.get(locale)?.find((country) => country.code === code)?.name ?? code;
}

const countriesByLocale = new Map(locales.map((locale) => [locale, namesIn(locale)]));

function namesIn(locale: Locale): Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return iso31661
    .map(({ alpha2 }) => ({ code: alpha2, name: names.of(alpha2) ?? alpha2 }))
    .sort((left, right) => compare(left.name, right.name));
}
