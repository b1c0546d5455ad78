/** How a subject's birth date and countries relate to those of an entry. */
import { type BirthRange, birthRelation, readBirthDate } from '../lists/birth-date.js';
import type { ListEntry } from '../lists/entry.js';
import type { Subject } from '../screening.js';
import type { CountryRelation, Evidence } from './score.js';

export class EntryRelations {
  readonly #birthDate: BirthRange | undefined;
  readonly #countries: ReadonlySet<string>;

  constructor({ birthDate, countries = [] }: Subject) {
    this.#birthDate = birthDate === undefined ? undefined : readBirthDate(birthDate);
    this.#countries = new Set(countries.map((code) => code.toUpperCase()));
  }

  of({ birthDates, countries }: ListEntry): Pick<Evidence, 'birth' | 'country'> {
    return {
      birth: this.#birthDate && birthRelation(this.#birthDate, birthDates),
      country: this.#countryOf(countries),
    };
  }

  #countryOf(listed: readonly string[]): CountryRelation | undefined {
    if (listed.length === 0 || this.#countries.size === 0) return undefined;
    return listed.some((country) => this.#countries.has(country)) ? 'equal' : 'differs';
  }
}
