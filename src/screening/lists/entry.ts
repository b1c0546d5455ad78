/** An entry of a list, as every format delivers it. */
import type { BirthRange } from './birth-date.js';

export interface ListEntry {
  readonly id: string;
  /** `either`: the list does not tell whether it is a person. `other`: a ship or an aircraft, which is not screened. */
  readonly kind: 'person' | 'organisation' | 'either' | 'other';
  /** The primary name first. */
  readonly names: readonly string[];
  readonly birthDates: readonly BirthRange[];
  /** Two-letter codes in capitals. */
  readonly countries: readonly string[];
  /** Politically exposed or close to somebody who is, and on no list of sanctions. */
  readonly isExposure?: boolean;
}
