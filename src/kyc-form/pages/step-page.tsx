/** The page of a step: one group of questions. */

import type { UploadFault } from '../../documents/inspect.js';
import type { PageFault } from '../../hosted-pages/frame.js';
import { Picture } from '../../hosted-pages/picture.js';
import type { PageAnswer } from '../../http/page.js';
import type { QuestionId } from '../../kyc/cases/requirements.js';
import type { AnswerFault } from '../../kyc/checks/answer-fault.js';
import type { StepView } from '../../kyc/submissions/state.js';
import type { FormView } from '../../kyc/submissions/view.js';
import { answerFaultText, uploadFaultText } from './fields/fault-texts.js';
import { Field } from './fields/field.js';
import { type FieldValues, fieldsOfAnswers, firstField } from './fields/form-values.js';
import { renderPage } from './layout/layout.js';
import { addressOf, merchantName, type PageContext, pathOfStep } from './page-context.js';
import { CorrectionOverview, ReasonNote, RejectionNote, reasonsToCorrect } from './reason-notes.js';
import { placeReasons } from './reason-places.js';
import { secondsLeft } from './remaining.js';

export interface StepPage {
  readonly view: FormView;
  readonly step: StepView;
  readonly token: string;
  readonly now: Date;
  /** The values that were just posted; without them, the saved answers are shown. */
  readonly entered?: FieldValues;
  readonly faults?: readonly AnswerFault[];
  readonly uploadFaults?: Readonly<Partial<Record<QuestionId, UploadFault>>>;
}

export function stepPage(context: PageContext, page: StepPage): PageAnswer {
  const { view, step, token } = page;
  const { texts, embedding } = context;
  const faultByQuestion = faultTexts(context, page);
  const faults = step.questions.flatMap((question): PageFault[] => {
    const text = faultByQuestion.get(question.id);
    return text === undefined ? [] : [{ field: firstField(question, view.country), text }];
  });
  const status = statusOf(page, faults.length > 0);
  const answer = renderPage(context, {
    title: texts.say(`steps.${step.id}.title`),
    faults,
    status,
    children: <StepContent context={context} page={page} faults={faultByQuestion} />,
    ...(embedding
      ? {}
      : {
          expiresInSeconds: secondsLeft(view, page.now),
          extendAt: addressOf(context, `form/${token}/extend`),
        }),
  });
  return status === 503 ? { ...answer, headers: { ...answer.headers, ...retryUpload } } : answer;
}

/** Most uploads take less time. */
export const retryUpload = { 'retry-after': '5' } as const;

/** A file that could not be checked is not the user's fault. */
function statusOf({ uploadFaults = {} }: StepPage, hasFaults: boolean): number {
  if (Object.values(uploadFaults).includes('checker_unavailable')) return 503;
  return hasFaults ? 422 : 200;
}

function faultTexts({ texts }: PageContext, { view, step, now, faults = [], uploadFaults = {} }: StepPage) {
  const found = new Map<QuestionId, string>();
  for (const question of step.questions) {
    const fault = faults.find((candidate) => candidate.question === question.id);
    const uploadFault = uploadFaults[question.id];
    if (uploadFault) found.set(question.id, uploadFaultText(texts, question, uploadFault));
    else if (fault) found.set(question.id, answerFaultText(texts, question, { country: view.country, now }, fault));
  }
  return found;
}

interface StepContentProps {
  readonly context: PageContext;
  readonly page: StepPage;
  readonly faults: ReadonlyMap<QuestionId, string>;
}

function StepContent({ context, page, faults }: StepContentProps) {
  const { view, step, token } = page;
  const { texts, embedding } = context;
  // A merchant that passes the document on must not see saved answers.
  const values = page.entered ?? (embedding ? {} : fieldsOfAnswers(step.questions, step.answers));
  const hasFiles = step.questions.some(({ kind }) => kind === 'document');
  const placed = placeReasons(view.steps, reasonsToCorrect(view)).filter((each) => each.step === step.id);
  const ofPage = placed.flatMap(({ question, reason }) => (question === undefined ? [reason] : []));
  return (
    <>
      <StepTop context={context} page={page} />
      <ReasonNote texts={texts} reasons={ofPage} />
      <form
        method="post"
        action={embedding ? `${embedding.baseUrl}/kyc/form` : addressOf(context, pathOfStep(token, step.id))}
        enctype={hasFiles ? 'multipart/form-data' : undefined}
        // Without an allowed origin the next page cannot be framed, so it takes the whole window.
        target={embedding && view.merchant.allowedOrigins.length === 0 ? '_top' : undefined}
        novalidate
        data-form
      >
        {embedding ? <HiddenFields context={context} token={token} step={step.id} /> : null}
        {step.questions.map((question) => (
          <Field
            key={question.id}
            texts={texts}
            question={question}
            country={view.country}
            now={page.now}
            reasons={placed.flatMap((each) => (each.question === question.id ? [each.reason] : []))}
            values={values}
            fault={faults.get(question.id)}
            document={embedding ? undefined : step.documents[question.id]}
          />
        ))}
        <div class="actions">
          <button type="submit" class="main">
            {texts.say('frame.continue')}
          </button>
        </div>
      </form>
    </>
  );
}

interface HiddenFieldsProps {
  readonly context: PageContext;
  readonly token: string;
  readonly step?: string;
}

/** Before the files, so that the form is known before they are read. */
export function HiddenFields({ context, token, step }: HiddenFieldsProps) {
  return (
    <>
      <input type="hidden" name="token" value={token} />
      {context.isSwitched ? <input type="hidden" name="lang" value={context.texts.locale} /> : null}
      {step ? <input type="hidden" name="step" value={step} /> : null}
    </>
  );
}

function StepTop({ context, page: { view, step, token } }: Omit<StepContentProps, 'faults'>) {
  const { texts } = context;
  const index = view.steps.findIndex(({ id }) => id === step.id);
  const before = view.steps[index - 1];
  return (
    <>
      {before && !context.embedding ? (
        <a class="back" href={addressOf(context, pathOfStep(token, before.id))}>
          {texts.say('frame.back')}
        </a>
      ) : null}
      <Progress context={context} number={index + 1} total={view.steps.length + 1} />
      <h1>{texts.say(`steps.${step.id}.title`)}</h1>
      <p class="intro">{texts.say(`steps.${step.id}.intro`)}</p>
      {index === 0 ? <Beginning context={context} view={view} token={token} /> : null}
    </>
  );
}

interface ProgressProps {
  readonly context: PageContext;
  readonly number: number;
  readonly total: number;
}

export function Progress({ context: { texts }, number, total }: ProgressProps) {
  return (
    <div class="progress">
      <p>{texts.say('frame.progress', { number: texts.number(number), total: texts.number(total) })}</p>
      <progress value={number} max={total} aria-hidden="true" />
    </div>
  );
}

interface BeginningProps {
  readonly context: PageContext;
  readonly view: FormView;
  readonly token: string;
}

const needed = { LEVEL_1: 'question', LEVEL_2: 'document', LEVEL_3: 'letter' } as const;

/** On the first page: the purpose, what is needed and how long it takes; or what to correct, or why it was rejected. */
function Beginning({ context, view, token }: BeginningProps) {
  const { texts } = context;
  if (view.state === 'ACTION_REQUIRED') return <CorrectionOverview context={context} view={view} token={token} />;
  return (
    <>
      {view.rejectedFor.length > 0 ? <RejectionNote texts={texts} reasons={view.rejectedFor} /> : null}
      <div class="note">
        <p>{texts.say('begin.why', { merchant: merchantName(context) })}</p>
        <h2>{texts.say('begin.heading')}</h2>
        <ul class="needs">
          <li>
            <Picture of={needed[view.level]} isSmall />
            {texts.say(`begin.${view.level}`)}
          </li>
          <li>
            <Picture of="clock" isSmall />
            {texts.say('begin.time')}
          </li>
        </ul>
      </div>
    </>
  );
}
