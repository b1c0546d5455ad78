/** How a subject's birth date and countries relate to those of the entry behind a name. */

import { type BirthRange, type BirthRelation, birthRelation, readBirthDate } from '../lists/birth-date.js';
import type { Subject } from '../screening.js';
import { countryNumber, groupOf, type IndexData } from '../search-index/index-data.js';
import type { CountryRelation, Evidence } from './score.js';

export class EntryRelations {
  readonly #birthDate: BirthRange | undefined;
  readonly #countries: ReadonlySet<number>;

  constructor(
    readonly data: IndexData,
    { birthDate, countries = [] }: Subject,
  ) {
    this.#birthDate = birthDate === undefined ? undefined : readBirthDate(birthDate);
    this.#countries = new Set(countries.map((code) => countryNumber(code.toUpperCase())));
  }

  of(name: number): Pick<Evidence, 'birth' | 'country'> {
    return { birth: this.birthOf(name), country: this.#countryOf(this.data.entryOfName[name] ?? 0) };
  }

  birthOf(name: number): BirthRelation | undefined {
    if (!this.#birthDate) return undefined;
    const day = this.data.birthDays[name] ?? 0;
    if (day !== 0) return birthRelation(this.#birthDate, [{ from: day, to: day, isApproximate: false }]);
    return birthRelation(this.#birthDate, birthDatesOf(this.data, this.data.entryOfName[name] ?? 0));
  }

  /** The relations that a subject with this birth date can have to an entry. */
  get possibleBirths(): readonly (BirthRelation | undefined)[] {
    return this.#birthDate ? ['equal', 'within', 'close', 'differs', undefined] : [undefined];
  }

  get bestCountry(): CountryRelation | undefined {
    return this.#countries.size > 0 ? 'equal' : undefined;
  }

  #countryOf(entry: number): CountryRelation | undefined {
    const listed = groupOf(this.data.countriesOfEntry, entry);
    if (listed.length === 0 || this.#countries.size === 0) return undefined;
    return listed.some((country) => this.#countries.has(country)) ? 'equal' : 'differs';
  }
}

export function birthDatesOf(data: IndexData, entry: number): BirthRange[] {
  const values = groupOf(data.birthDatesOfEntry, entry);
  return Array.from({ length: values.length / 3 }, (_, index) => ({
    from: values[3 * index] ?? 0,
    to: values[3 * index + 1] ?? 0,
    isApproximate: values[3 * index + 2] === 1,
  }));
}
