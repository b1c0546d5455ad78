/** Between the fields of a page and the answers of a case: a date is three boxes there and one text here. */
import type { Zone } from '../case.js';
import type { Question, QuestionId } from '../requirements.js';

/** By the name of the field. */
export type FieldValues = Readonly<Record<string, string>>;

export const dateBoxes = ['day', 'month', 'year'] as const;
export type DateBox = (typeof dateBoxes)[number];

/** In the order in which people of the zone write them. */
export function boxesIn(zone: Zone): readonly DateBox[] {
  return zone === 'US' ? ['month', 'day', 'year'] : dateBoxes;
}

/** Where and when a page is shown. */
export interface Occasion {
  readonly zone: Zone;
  readonly now: Date;
}

/** A date that could be the answer, as it would be put into the boxes. */
export function exampleDate({ dateRule }: Question, { zone, now }: Occasion): string {
  const thisYear = now.getUTCFullYear();
  const parts = {
    birth: { day: 27, month: 3, year: 1985 },
    ahead: { day: 27, month: 3, year: thisYear + 5 },
    recent: { day: 1, month: now.getUTCMonth() + 1, year: thisYear },
  }[dateRule ?? 'birth'];
  return boxesIn(zone)
    .map((box) => parts[box])
    .join(' ');
}

export function dateField(question: QuestionId, box: DateBox): string {
  return `${question}-${box}`;
}

/** The field that a fault of the question leads to. */
export function firstField({ id, kind }: Question, zone: Zone): string {
  const [first] = boxesIn(zone);
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

/** As `YYYY-MM-DD`; what can't be a date stays something that is none. */
function dateOf(question: QuestionId, fields: FieldValues): string {
  const [day = '', month = '', year = ''] = dateBoxes.map((box) =>
    (fields[dateField(question, box)] ?? '').trim(),
  );
  if (day === '' && month === '' && year === '') return '';
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}
