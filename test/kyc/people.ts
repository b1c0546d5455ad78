/** Answers that are right for any case, made from the requirements: a new question joins by itself or fails loudly. */

import type { CleanDocument } from '../../src/documents/inspect.js';
import type { KycLevel, Zone } from '../../src/kyc/cases/case.js';
import {
  type Answers,
  type Question,
  type QuestionId,
  requirementsOf,
  type Step,
} from '../../src/kyc/cases/requirements.js';
import { countriesOf } from '../../src/kyc/cases/zones.js';
import { isDue } from '../../src/kyc/checks/answers.js';
import { examplePostalCode } from '../../src/kyc/checks/postal-code.js';

/** What a machine can't guess from the question. */
const known: Answers = {
  // Resembles the name under which `ana` is registered.
  firstName: 'Ana Amélie',
  lastName: 'Nguyễn-Ørsted Reyes',
  secondSurname: 'Núñez',
  dateOfBirth: '1990-04-12',
  documentExpiresOn: '2041-01-31',
  taxIdLastFour: '6789',
  nationalIdCountry: 'CO',
  nationalIdNumber: '1023456789',
  documentNumber: 'X4RTBPFW4',
  phoneNumber: '+254 712 345 678',
};

export interface StepAnswers {
  readonly step: Step;
  readonly raw: Readonly<Record<string, string>>;
  readonly documents: readonly QuestionId[];
}

/** Step by step, as a person would go through the form; `given` comes before what would be made up. */
export function rightAnswers(level: KycLevel, zone: Zone, today: string, given: Answers = {}): StepAnswers[] {
  return requirementsOf(level, zone).map((step) => {
    const raw: Partial<Record<QuestionId, string>> = {};
    const documents: QuestionId[] = [];
    for (const question of step.questions) {
      if (!isDue(question, raw)) continue;
      if (question.kind === 'document') documents.push(question.id);
      else if (question.kind !== 'mrz')
        raw[question.id] = answerTo(question, zone, today, { ...postalCodeFor(raw), ...given });
      else if (given[question.id] !== undefined) raw[question.id] = given[question.id] as string;
    }
    return { step, raw: raw as Record<string, string>, documents };
  });
}

/** One of the country that was chosen. */
function postalCodeFor({ countryCode }: Answers): Answers {
  return { postalCode: examplePostalCode(countryCode) ?? '12345' };
}

function answerTo(question: Question, zone: Zone, today: string, given: Answers): string {
  const said = given[question.id] ?? known[question.id];
  if (said !== undefined) return said;
  switch (question.kind) {
    case 'country':
      return (question.options ?? countriesOf(zone))[0] as string;
    case 'choice':
      return question.options?.[0] as string;
    case 'date':
      return today;
    case 'text':
      if (question.format !== undefined) throw new Error(`no answer of the format ${question.format}`);
      return `Some ${question.id}`.slice(0, question.maxLength);
    default:
      throw new Error(`no answer to ${question.id}`);
  }
}

/** As the checker hands it over; that it is a picture matters to no one here. */
export function photo(content = 'a picture'): CleanDocument {
  return { mediaType: 'image/png', bytes: Buffer.from(content) };
}
