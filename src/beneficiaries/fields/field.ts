/** A field of a beneficiary: what is published about it, and how its text is read and checked. */
import type { FieldFault } from '../../errors.js';
import { hasInvisible } from '../../visible-text.js';

export const beneficiaryTypes = ['person', 'company'] as const;
export type BeneficiaryType = (typeof beneficiaryTypes)[number];

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** The other values of the same account, by the last part of their names. */
export type Values = Readonly<Record<string, string>>;

export interface Field {
  /** Where the value stands in the request, with a dot for a nested object: `account.iban`. */
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'phone' | 'select';
  /** What is expected, in words that complete "must be". */
  readonly hint: string;
  /** An ECMAScript pattern (flag `u`) of the value as it is stored. Bounded, so that it takes linear time. */
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
  readonly example: string;
  readonly options?: readonly Option[];
  readonly isRequired: boolean;
  /** Absent: for persons and companies. */
  readonly onlyFor?: BeneficiaryType;
  /** Whether the value tells this account from others. */
  readonly isIdentifying: boolean;
  /** Returns the value as it is stored, or undefined when the text cannot be one. */
  read(text: string): string | undefined;
  /** Whether check digits match. Called with a value of the right pattern only. */
  matchesCheckDigits?(value: string, others: Values): boolean;
}

/** No value has more than 140 characters. A longer text than this is refused before anything looks at it. */
const longestText = 500;

export type ReadValue = { readonly value: string } | { readonly fault: FieldFault };

/** Reads one text. A fault names the expected format and an example. */
export function readField(field: Field, text: string, others: Values): ReadValue {
  if (text.length > longestText) return refuse(field, 'too_long', `must be ${field.hint}`, { max: field.maxLength });
  const trimmed = text.trim();
  if (trimmed === '') return refuse(field, 'too_short', 'must not be empty', { min: field.minLength });
  if (hasInvisible(trimmed)) return refuse(field, 'wrong_format', 'must not contain control or invisible characters');
  const value = field.read(trimmed);
  if (value === undefined) return refuse(field, 'wrong_format', `must be ${field.hint}`);
  if (field.options) return readOption(field, field.options, value);
  const length = [...value].length;
  if (length > field.maxLength) {
    return refuse(field, 'too_long', `must be ${field.hint}`, { max: field.maxLength });
  }
  if (length < field.minLength) {
    return refuse(field, 'too_short', `must be ${field.hint}`, { min: field.minLength });
  }
  if (!patternOf(field).test(value)) return refuse(field, 'wrong_format', `must be ${field.hint}`);
  if (field.matchesCheckDigits?.(value, others) === false) {
    return refuse(field, 'wrong_check_digits', 'contains a typing error: its check digits do not match');
  }
  return { value };
}

export function missing(field: Field): FieldFault {
  return fault(field, 'required', 'is required', {});
}

function readOption(field: Field, options: readonly Option[], value: string): ReadValue {
  const allowed = options.map((option) => option.value);
  if (allowed.includes(value)) return { value };
  return refuse(field, 'not_allowed', 'must be one of the values in `allowed`', { allowed });
}

function refuse(
  field: Field,
  code: string,
  message: string,
  limits: Readonly<Record<string, unknown>> = {},
): ReadValue {
  return { fault: fault(field, code, message, limits) };
}

function fault(
  { name, hint, example }: Field,
  code: string,
  message: string,
  limits: Readonly<Record<string, unknown>>,
): FieldFault {
  return { field: name, code, message, ...limits, expected: hint, example };
}

const patterns = new Map<string, RegExp>();

function patternOf({ pattern }: Field): RegExp {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = new RegExp(pattern, 'u');
    patterns.set(pattern, compiled);
  }
  return compiled;
}
