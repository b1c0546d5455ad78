/** Which steps a case asks for now, and how far each has got. */

import { type KycCase, type KycLevel, type Part, parts, progressOf, type Zone } from '../case.js';
import { isDue, readStep } from '../checks/answers.js';
import {
  type Answers,
  type Question,
  type QuestionId,
  requirementsOf,
  type Step,
  type StepId,
} from '../requirements.js';
import type { DocumentView, StepView } from './view.js';

/** What was entered and attached so far, with the version that the case had then. */
export interface Entered {
  readonly answers: ReadonlyMap<StepId, { readonly answers: Answers; readonly caseVersion: number }>;
  readonly documents: ReadonlyMap<QuestionId, DocumentView & { readonly caseVersion: number }>;
}

/** After a request for parts only those; a part may be one document of a step. */
export function stepsAsked(kycCase: KycCase): readonly Step[] {
  const steps = requirementsOf(kycCase.level, kycCase.zone);
  const { state, requestedParts } = progressOf(kycCase);
  if (state !== 'ACTION_REQUIRED') return steps;
  const requested: readonly string[] = requestedParts;
  return steps
    .map((step) => (requested.includes(step.id) ? step : { ...step, questions: singly(step, requested) }))
    .filter((step) => step.questions.length > 0);
}

/** What is asked for by name is asked for whatever was answered elsewhere. */
function singly(step: Step, requested: readonly string[]): Question[] {
  return step.questions
    .filter(({ id }) => requested.includes(id))
    .map(({ onlyWhen: _, ...question }) => question);
}

/** What operators may ask for again of a case. */
export function partsOf(level: KycLevel, zone: Zone): readonly Part[] {
  const steps = requirementsOf(level, zone);
  const known = new Set<string>(steps.flatMap((step) => [step.id, ...step.questions.map(({ id }) => id)]));
  return parts.filter((part) => known.has(part));
}

/** The documents that the answers call for, or that were asked for by name: not the back of a card that became a passport. */
export function documentsDue(kycCase: KycCase, entered: Entered): QuestionId[] {
  const requested: readonly string[] = progressOf(kycCase).requestedParts;
  return requirementsOf(kycCase.level, kycCase.zone).flatMap((step) => {
    const answers = entered.answers.get(step.id)?.answers ?? {};
    return step.questions
      .filter((question) => requested.includes(question.id) || isDue(question, answers))
      .map(({ id }) => id)
      .filter((id) => entered.documents.has(id));
  });
}

/** `suggested` stands where nothing was entered yet. */
export function stepViews(kycCase: KycCase, entered: Entered, today: string, suggested: Answers): StepView[] {
  return stepsAsked(kycCase).map((step) => {
    const answers = entered.answers.get(step.id)?.answers;
    return {
      id: step.id,
      questions: step.questions,
      answers: answers ?? suggestionsFor(step, suggested),
      documents: documentsOf(step, kycCase, entered),
      isDone: isDone(step, kycCase, entered, today),
    };
  });
}

/** What is asked for must be entered since it was asked: a photograph that was refused does not count again. */
function isDone(step: Step, kycCase: KycCase, entered: Entered, today: string): boolean {
  const saved = entered.answers.get(step.id);
  const answers = saved?.answers ?? {};
  const asksText = step.questions.some(({ kind }) => kind !== 'document');
  if (asksText && (saved?.caseVersion !== progressOf(kycCase).version || !isFaultless(step, answers, today)))
    return false;
  const documents = documentsOf(step, kycCase, entered);
  return step.questions.every((question) => !isMissing(question, answers, documents));
}

function isFaultless(step: Step, answers: Answers, today: string): boolean {
  return readStep(step.questions, answers as Readonly<Record<string, string>>, today).faults.length === 0;
}

function isMissing(question: Question, answers: Answers, documents: StepView['documents']): boolean {
  const isNeeded = question.kind === 'document' && question.isRequired && isDue(question, answers);
  return isNeeded && documents[question.id] === undefined;
}

function documentsOf(step: Step, kycCase: KycCase, entered: Entered): StepView['documents'] {
  const documents: Partial<Record<QuestionId, DocumentView>> = {};
  for (const { id } of step.questions) {
    const document = entered.documents.get(id);
    if (!document || document.caseVersion !== progressOf(kycCase).version) continue;
    const { documentId, mediaType, bytes } = document;
    documents[id] = { documentId, mediaType, bytes };
  }
  return documents;
}

function suggestionsFor(step: Step, suggested: Answers): Answers {
  const ids = step.questions.map(({ id }) => id).filter((id) => suggested[id] !== undefined);
  return Object.fromEntries(ids.map((id) => [id, suggested[id]]));
}
