/** Which steps a form asks for, and which of them are done. */
import { type KycCase, type KycLevel, type Part, parts, progressOf, type Zone } from '../cases/case.js';
import {
  type Answers,
  type Question,
  type QuestionId,
  requirementsOf,
  type Step,
  type StepId,
} from '../cases/requirements.js';
import { isDue, readStep } from '../checks/answers.js';

export interface StepView {
  readonly id: StepId;
  /** Every question of the step, also those that only some answers make due (`onlyWhen`). */
  readonly questions: readonly Question[];
  readonly answers: Readonly<Partial<Record<QuestionId, string>>>;
  readonly documents: Readonly<Partial<Record<QuestionId, DocumentView>>>;
  readonly isDone: boolean;
}

export interface DocumentView {
  readonly documentId: string;
  readonly mediaType: string;
  readonly bytes: number;
}

/** The saved answers and documents, each with the version at which it was saved. */
export interface Entered {
  readonly answers: ReadonlyMap<StepId, { readonly answers: Answers; readonly caseVersion: number }>;
  readonly documents: ReadonlyMap<QuestionId, DocumentView & { readonly caseVersion: number }>;
}

/** All steps, or only the requested parts; a part may be one document of a step. */
export function stepsAsked(kycCase: KycCase): readonly Step[] {
  const steps = requirementsOf(kycCase.level, kycCase.zone);
  const { state, requestedParts } = progressOf(kycCase);
  if (state !== 'ACTION_REQUIRED') return steps;
  const requested: readonly string[] = requestedParts;
  return steps
    .map((step) => (requested.includes(step.id) ? step : { ...step, questions: singly(step, requested) }))
    .filter((step) => step.questions.length > 0);
}

/** A document that was requested by name is asked for whatever the other answers are. */
function singly(step: Step, requested: readonly string[]): Question[] {
  return step.questions.filter(({ id }) => requested.includes(id)).map(({ onlyWhen: _, ...question }) => question);
}

/** The parts that operators can request again. */
export function partsOf(level: KycLevel, zone: Zone): readonly Part[] {
  const steps = requirementsOf(level, zone);
  const known = new Set<string>(steps.flatMap((step) => [step.id, ...step.questions.map(({ id }) => id)]));
  return parts.filter((part) => known.has(part));
}

/** The documents that the answers make necessary, or that were requested by name. A passport, for example, has no back. */
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

/** `suggested` fills steps that have no answers yet. */
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

/** Only answers since the last request count: a photo that was refused does not count again. */
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
