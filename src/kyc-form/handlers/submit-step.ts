/** Handles a posted step: checks its files one after the other, then saves everything in one transaction. */

import type { CleanDocument, Inspection, UploadFault, UploadSource } from '../../documents/inspect.js';
import type { FormFields, FormFile } from '../../http/body/form.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import type { Question, QuestionId, StepId } from '../../kyc/cases/requirements.js';
import type { AnswerFault } from '../../kyc/checks/answer-fault.js';
import { isDue } from '../../kyc/checks/answers.js';
import type { FormService } from '../../kyc/submissions/service.js';
import type { DocumentView, StepView } from '../../kyc/submissions/state.js';
import type { FormEnded, FormView } from '../../kyc/submissions/view.js';
import { receivedText } from '../pages/fields/document-field.js';
import { uploadFaultText } from '../pages/fields/fault-texts.js';
import { answersOfFields, type FieldValues } from '../pages/fields/form-values.js';
import type { PageContext } from '../pages/page-context.js';
import { retryUpload } from '../pages/step-page.js';
import { showEnded } from './browser-answers.js';

export interface ReceivedFile {
  readonly question: QuestionId;
  readonly document?: CleanDocument;
  readonly fault?: UploadFault;
}

/** Returns undefined, without reading it, for a file that the step does not ask for. */
export async function receiveFile(
  inspect: (source: UploadSource) => Promise<Inspection>,
  step: StepView,
  file: FormFile,
): Promise<ReceivedFile | undefined> {
  const question = step.questions.find(({ id, kind }) => kind === 'document' && id === file.name);
  if (!question) return undefined;
  const { id, isPhoto } = question;
  const inspection = await inspect(file.bytes);
  const kind = inspection.ok ? inspection.document.mediaType : inspection.fault;
  if (isPhoto && (kind === 'application/pdf' || kind === 'not_an_accepted_type')) {
    return { question: id, fault: 'not_a_photo' };
  }
  return inspection.ok ? { question: id, document: inspection.document } : { question: id, fault: inspection.fault };
}

export interface PostedStep {
  readonly view: FormView;
  readonly step: StepView;
  readonly token: string;
  readonly fields: FormFields;
  readonly files: readonly ReceivedFile[];
}

export type StepResult =
  | { readonly kind: 'ended'; readonly ended: FormEnded }
  | { readonly kind: 'saved'; readonly next: StepId | 'check' }
  | {
      readonly kind: 'faults';
      readonly entered: FieldValues;
      readonly faults: readonly AnswerFault[];
      readonly uploadFaults: Readonly<Partial<Record<QuestionId, UploadFault>>>;
      /** Includes the documents that were just attached. */
      readonly step: StepView;
    };

export async function postStep(forms: FormService, posted: Posted, postedStep: PostedStep): Promise<StepResult> {
  const { step, token } = postedStep;
  const entered = Object.fromEntries(postedStep.fields);
  const raw = answersOfFields(step.questions, entered);
  const kept = await posted.change(async (tx) => {
    const attached: [QuestionId, DocumentView][] = [];
    const refused: [QuestionId, UploadFault][] = [];
    for (const { question, document } of postedStep.files) {
      if (!document) continue;
      const outcome = await forms.attachDocument(tx, token, question, document);
      if (outcome.kind === 'attached') attached.push([question, outcome.document]);
      else if (outcome.kind === 'same_file') refused.push([question, 'same_file']);
      else if (outcome.kind !== 'not_asked') return { saved: outcome, attached, refused };
    }
    return { saved: await forms.saveStep(tx, token, step.id, raw), attached, refused };
  });
  const { saved } = kept;
  if (saved.kind !== 'saved' && saved.kind !== 'faults') return { kind: 'ended', ended: saved };
  const documents = { ...step.documents, ...Object.fromEntries(kept.attached) };
  const uploadFaults = Object.fromEntries([
    ...postedStep.files.flatMap(({ question, fault }) => (fault ? [[question, fault]] : [])),
    ...kept.refused,
  ]);
  const faults = [
    ...(saved.kind === 'faults' ? saved.faults : []),
    // When only a photo was requested again, the answer that it depends on was saved before.
    ...missingDocuments(step.questions, { ...step.answers, ...raw }, documents),
  ];
  if (saved.kind === 'saved' && faults.length === 0 && Object.keys(uploadFaults).length === 0) return saved;
  return { kind: 'faults', entered, faults, uploadFaults, step: { ...step, documents } };
}

function missingDocuments(
  questions: readonly Question[],
  raw: FieldValues,
  documents: StepView['documents'],
): AnswerFault[] {
  return questions
    .filter((question) => question.kind === 'document' && question.isRequired && isDue(question, raw))
    .filter(({ id }) => !documents[id])
    .map(({ id }) => ({ question: id, code: 'required' }));
}

/** Handles one file that the script sends ahead: stores it, or refuses it with a sentence for its field. */
export async function postFileAlone(
  forms: FormService,
  posted: Posted,
  { texts }: PageContext,
  { step, token, files }: PostedStep,
): Promise<PageAnswer> {
  const [file] = files;
  const question = step.questions.find(({ id }) => id === file?.question);
  if (!file || !question) return { status: 422, json: { fault: texts.say('failures.unreadable.text') } };
  const { document, fault = 'unreadable' } = file;
  if (!document) {
    const json = { fault: uploadFaultText(texts, question, fault) };
    return fault === 'checker_unavailable' ? { status: 503, headers: retryUpload, json } : { status: 422, json };
  }
  const outcome = await posted.change((tx) => forms.attachDocument(tx, token, question.id, document));
  if (outcome.kind === 'attached') return { json: { received: receivedText(texts, outcome.document) } };
  if (outcome.kind === 'same_file') {
    return { status: 422, json: { fault: uploadFaultText(texts, question, 'same_file') } };
  }
  if (outcome.kind !== 'not_asked') return showEnded(posted, outcome, token, true);
  return { status: 422, json: { fault: texts.say('failures.unreadable.text') } };
}
