/** Reads the fields of a step: returns valid answers and the faults of the others. */
import { iso31661 } from 'iso-3166';
import { hasInvisible } from '../../visible-text.js';
import type { Answers, Question, QuestionId, Step, StepId } from '../cases/requirements.js';
import type { AnswerFault } from './answer-fault.js';
import { checkDate } from './dates.js';
import { mrzFault, readMrz } from './mrz.js';
import { nationalIdFault, numberFault } from './national-id.js';
import { examplePostalCode, readPostalCode } from './postal-code.js';

export interface ReadStep {
  /** The valid answers, by question. */
  readonly answers: Answers;
  readonly faults: readonly AnswerFault[];
}

const countries = new Set(iso31661.map((country) => country.alpha2));

/** `today` is the date of the merchant's clock, as `YYYY-MM-DD`. Ignores fields that the step does not ask for. */
export function readStep(
  questions: readonly Question[],
  raw: Readonly<Record<string, string>>,
  today: string,
): ReadStep {
  const answers: Partial<Record<QuestionId, string>> = {};
  const faults: AnswerFault[] = [];
  // In order, because an earlier answer may decide whether a question is due and how it is checked.
  for (const question of questions) {
    if (question.kind === 'document' || !isDue(question, answers)) continue;
    const answer = Object.hasOwn(raw, question.id) ? withPlainSpaces(raw[question.id] ?? '') : '';
    const read = answer === '' ? readNothing(question) : readAnswer(question, answer, answers, today);
    if (typeof read === 'string') answers[question.id] = read;
    else if (read) faults.push({ question: question.id, ...read });
  }
  return { answers, faults };
}

/** Whether the answers so far make the question necessary. */
export function isDue({ onlyWhen }: Question, answers: Answers): boolean {
  return onlyWhen === undefined || onlyWhen.isOneOf.includes(answers[onlyWhen.question] ?? '');
}

/** The steps that lack a required answer or document, or have one that is no longer valid. */
export function incompleteSteps(
  steps: readonly Step[],
  answers: Answers,
  attached: ReadonlySet<QuestionId>,
  today: string,
): StepId[] {
  return steps.filter((step) => !isComplete(step, answers, attached, today)).map((step) => step.id);
}

function isComplete(step: Step, answers: Answers, attached: ReadonlySet<QuestionId>, today: string): boolean {
  const { faults } = readStep(step.questions, answers as Readonly<Record<string, string>>, today);
  const missing = step.questions.filter(
    (question) =>
      question.kind === 'document' && question.isRequired && isDue(question, answers) && !attached.has(question.id),
  );
  return faults.length === 0 && missing.length === 0;
}

type Read = string | undefined | Omit<AnswerFault, 'question'>;

function readNothing({ isRequired }: Question): Read {
  return isRequired ? { code: 'required' } : undefined;
}

function readAnswer(question: Question, answer: string, before: Answers, today: string): Read {
  if (question.kind === 'mrz') return readMrzAnswer(answer);
  if (hasInvisible(answer)) return { code: 'control_characters' };
  const { maxLength = 200 } = question;
  if ([...answer].length > maxLength) return { code: 'too_long', limit: maxLength };
  switch (question.kind) {
    case 'date':
      return readDate(westernDigits(answer), question, today);
    case 'country':
      return readCountry(question, answer);
    case 'choice':
      return question.options?.includes(answer) ? answer : { code: 'not_allowed' };
    case 'phone':
      return readPhone(westernDigits(answer));
    default:
      return readText(question, answer, before);
  }
}

function readText({ format }: Question, answer: string, before: Answers): Read {
  switch (format) {
    case 'lastFourDigits':
      return /^[0-9]{4}$/.test(westernDigits(answer)) ? westernDigits(answer) : { code: 'wrong_format' };
    case 'documentNumber':
      return numberFault(answer, 3) ?? westernDigits(answer).toUpperCase();
    case 'nationalId':
      return nationalIdFault(before.nationalIdCountry, westernDigits(answer)) ?? westernDigits(answer);
    case 'postalCode':
      return readPostal(before.countryCode, westernDigits(answer));
    default:
      return /[\p{L}\p{N}]/u.test(answer) ? answer : { code: 'wrong_format' };
  }
}

function readDate(answer: string, { dateRule }: Question, today: string): Read {
  return checkDate(answer, dateRule, today) ?? answer;
}

function readPostal(country: string | undefined, answer: string): Read {
  const code = readPostalCode(country, answer);
  if (code === undefined) return { code: 'wrong_format', example: examplePostalCode(country) ?? '' };
  return /[\p{L}\p{N}]/u.test(code) ? code : { code: 'wrong_characters' };
}

function readMrzAnswer(answer: string): Read {
  const text = westernDigits(answer);
  const read = readMrz(text);
  if (!read) return mrzFault(text);
  return read.areCheckDigitsRight ? read.lines.join('\n') : { code: 'wrong_check_digits' };
}

/** As E.164 writes it: plus sign, country, number. */
function readPhone(answer: string): Read {
  const number = answer.replaceAll(/[\s().-]/g, '').replace(/^00/, '+');
  if (!/^\+?[0-9]*$/.test(number)) return { code: 'wrong_characters' };
  if (!/^\+[1-9]/.test(number)) return { code: 'wrong_format' };
  const digits = number.length - 1;
  if (digits < 7) return { code: 'too_short', limit: 7 };
  return digits > 15 ? { code: 'too_long', limit: 15 } : number;
}

/** The zeros of Arabic, Persian, Devanagari, Bengali, Thai and wide digits; each is followed by its nine. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];

/** Keyboards of other scripts type their own digits. */
function westernDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const at = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((each) => at >= each && at < each + 10);
    return zero === undefined ? digit : String(at - zero);
  });
}

/** Letters of other alphabets may turn into these two when they are made large: the ligature ﬁ would be Finland. */
function readCountry({ options }: Question, answer: string): Read {
  const code = /^[a-z]{2}$/i.test(answer) ? answer.toUpperCase() : '';
  const isAllowed = countries.has(code) && (options === undefined || options.includes(code));
  return isAllowed ? code : { code: 'not_allowed' };
}

/** White space of all kinds counts as one space, so that what is pasted or broken into lines is no fault. */
function withPlainSpaces(value: string): string {
  return value.replaceAll(/[\t\n\r\u00A0 ]+/g, ' ').trim();
}
