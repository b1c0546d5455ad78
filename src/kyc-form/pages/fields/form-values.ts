/** Converts between the fields of a page and answers: a date is three fields there and one text here. */
import type { Question, QuestionId } from '../../../kyc/cases/requirements.js';
import { boxesIn, type DateBox, dateBoxes } from '../texts/customs.js';

/** Values by the name of the field. */
export type FieldValues = Readonly<Record<string, string>>;

/** The user's country and the date, which decide how a date is shown. */
export interface Occasion {
  /** The user's country. */
  readonly country: string | undefined;
  readonly now: Date;
}

/** An example date, in the order of the fields. */
export function exampleDate({ dateRule }: Question, { country, now }: Occasion): string {
  const thisYear = now.getUTCFullYear();
  const parts = {
    birth: { day: 27, month: 3, year: 1985 },
    ahead: { day: 27, month: 3, year: thisYear + 5 },
    recent: { day: 1, month: now.getUTCMonth() + 1, year: thisYear },
  }[dateRule ?? 'birth'];
  return boxesIn(country)
    .map((box) => parts[box])
    .join(' ');
}

export function dateField(question: QuestionId, box: DateBox): string {
  return `${question}-${box}`;
}

/** The field that the summary of faults links to. */
export function firstField({ id, kind }: Question, country: string | undefined): string {
  const [first] = boxesIn(country);
  return kind === 'date' && first ? dateField(id, first) : id;
}

export function fieldsOfAnswers(
  questions: readonly Question[],
  answers: Readonly<Partial<Record<QuestionId, string>>>,
): FieldValues {
  return Object.fromEntries(
    questions.flatMap((question): [string, string][] => {
      const answer = answers[question.id];
      if (answer === undefined) return [];
      if (question.kind !== 'date') return [[question.id, answer]];
      const [year = '', month = '', day = ''] = answer.split('-');
      return [
        [dateField(question.id, 'day'), String(Number(day))],
        [dateField(question.id, 'month'), String(Number(month))],
        [dateField(question.id, 'year'), year],
      ];
    }),
  );
}

export function answersOfFields(questions: readonly Question[], fields: FieldValues): Record<string, string> {
  return Object.fromEntries(
    questions
      .filter((question) => question.kind !== 'document')
      .map((question) => [question.id, answerOf(question, fields)]),
  );
}

function answerOf({ id, kind }: Question, fields: FieldValues): string {
  return kind === 'date' ? dateOf(id, fields) : (fields[id] ?? '');
}

/** Returns `YYYY-MM-DD`; input that is no date stays invalid. */
function dateOf(question: QuestionId, fields: FieldValues): string {
  const [day = '', month = '', year = ''] = dateBoxes.map((box) => (fields[dateField(question, box)] ?? '').trim());
  if (day === '' && month === '' && year === '') return '';
  return [year, twoDigits(month), twoDigits(day)].join('-');
}

/** A missing part stays missing. */
function twoDigits(part: string): string {
  return part === '' ? '' : part.padStart(2, '0');
}
