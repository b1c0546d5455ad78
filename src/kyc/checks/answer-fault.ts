/** What is wrong with an answer. */
import type { QuestionId } from '../cases/requirements.js';

export interface AnswerFault {
  readonly question: QuestionId;
  readonly code: AnswerFaultCode;
  /** How long, how old, or which date, where the code has such a limit. */
  readonly limit?: number | string;
  /** How many characters were entered, where their number is wrong. */
  readonly count?: number;
  /** How a right answer looks, where it has one form. */
  readonly example?: string;
}

export const answerFaultCodes = [
  'required',
  'too_short',
  'too_long',
  'wrong_length',
  'wrong_characters',
  'wrong_format',
  'control_characters',
  'not_allowed',
  'incomplete_date',
  'not_digits',
  'no_such_month',
  'no_such_day',
  'short_year',
  'not_a_date',
  'too_young',
  'too_long_ago',
  'in_the_past',
  'in_the_future',
  'wrong_check_digits',
] as const;
export type AnswerFaultCode = (typeof answerFaultCodes)[number];
