/** The result of one automatic check of a submission. */
export const checkNames = [
  'completeness',
  'age',
  'document_expiry',
  'mrz_check_digits',
  'mrz_match',
  'same_person',
  'registration_match',
  'screening',
  'countries',
  'political_exposure',
] as const;
export type CheckName = (typeof checkNames)[number];

/** `noted` informs the reviewer and stops nothing; `skipped` means that there was nothing to check. */
export const checkOutcomes = ['passed', 'failed', 'noted', 'skipped'] as const;

/** Stored in plain text with the submission, so it must not contain any answer. */
export interface Check {
  readonly check: CheckName;
  readonly outcome: (typeof checkOutcomes)[number];
  /** Names of questions, ids of other cases or of hits, uses of countries, or what is wrong with the lists. */
  readonly about?: readonly string[];
  /** Of the screening lists, all together: which version the check was made with. */
  readonly listsVersion?: string;
}
