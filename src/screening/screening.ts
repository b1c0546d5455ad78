/**
 * Screening: lists of sanctioned people and organisations in, explained matches out. This room owns the lists, the
 * index over their names, and the score. It knows neither users nor KYC nor orders; they ask it about a subject and
 * decide what a match means for them.
 */

export type SubjectKind = 'person' | 'organisation';

export interface Subject {
  readonly kind: SubjectKind;
  /** Every name that is known: the full name, former names, the name in another script. */
  readonly names: readonly string[];
  /** `1970-01-31`, `1970-01` or `1970`. */
  readonly birthDate?: string;
  /** Somebody has checked a document with this birth date and country. Otherwise they lower no score. */
  readonly isVerified?: boolean;
  /** Two-letter codes: nationality, residence, place of birth. */
  readonly countries?: readonly string[];
}

export type ReasonCode =
  | 'exact_part'
  | 'spelling'
  | 'typing_error'
  | 'sound'
  | 'script'
  | 'joined_parts'
  | 'initial'
  | 'missing_part'
  | 'extra_part'
  | 'contained_name'
  | 'long_name'
  | 'other_kind'
  | 'common_name'
  | 'birth_date_equal'
  | 'birth_date_fits'
  | 'birth_date_close'
  | 'birth_date_differs'
  | 'country_equal'
  | 'country_differs';

export interface Reason {
  readonly code: ReasonCode;
  /** What it adds to or subtracts from 100. The score is 100 plus all effects, rounded, within 0 and 100. */
  readonly effect: number;
  readonly text: string;
}

export interface Match {
  /** The name of the list, such as `ofac`. */
  readonly list: string;
  readonly listVersion: string;
  readonly entryId: string;
  /** Changes when the names, birth dates or countries of the entry change, and only then. */
  readonly entryHash: string;
  readonly entryName: string;
  /** The name of the entry, and the name of the subject, that resemble each other most. */
  readonly matchedName: string;
  readonly subjectName: string;
  /** From 0 to 100. It depends on the subject and the entry only, not on what else is in the list. */
  readonly score: number;
  readonly isStrong: boolean;
  readonly reasons: readonly Reason[];
}

export interface Thresholds {
  readonly matchScore: number;
  readonly strongScore: number;
}
