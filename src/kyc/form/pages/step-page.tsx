/** One group of questions. */
import type { PageAnswer } from '../../../http/page.js';
import type { UploadFault } from '../../documents/inspect.js';
import type { QuestionId } from '../../requirements.js';
import { type FieldValues, fieldsOfAnswers, firstField } from '../form-values.js';
import { addressOf, merchantName, pathOfStep, type Surroundings } from '../page-context.js';
import { placeReasons } from '../reason-places.js';
import type { AnswerFault, FormView, StepView } from '../view.js';
import { answerFaultText, uploadFaultText } from './fault-texts.js';
import { Field } from './field.js';
import { type PageFault, renderPage } from './layout.js';
import { CorrectionOverview, ReasonNote, RejectionNote, reasonsToCorrect } from './reason-notes.js';
import { secondsLeft } from './remaining.js';

export interface StepPage {
  readonly view: FormView;
  readonly step: StepView;
  readonly token: string;
  readonly now: Date;
  /** What was just entered; otherwise what was saved is shown. */
  readonly entered?: FieldValues;
  readonly faults?: readonly AnswerFault[];
  readonly uploadFaults?: Readonly<Partial<Record<QuestionId, UploadFault>>>;
}

export function stepPage(around: Surroundings, page: StepPage): PageAnswer {
  const { view, step, token } = page;
  const { texts, handedOn } = around;
  const faultByQuestion = faultTexts(around, page);
  const faults = step.questions.flatMap((question): PageFault[] => {
    const text = faultByQuestion.get(question.id);
    return text === undefined ? [] : [{ field: firstField(question, view.country), text }];
  });
  return renderPage(around, {
    title: texts.say(`steps.${step.id}.title`),
    faults,
    status: statusOf(page, faults.length > 0),
    children: <StepContent around={around} page={page} faults={faultByQuestion} />,
    ...(handedOn
      ? {}
      : {
          expiresInSeconds: secondsLeft(view, page.now),
          extendAt: addressOf(around, `form/${token}/extend`),
        }),
  });
}

/** A file that nobody could look at is no fault of the one who sent it. */
function statusOf({ uploadFaults = {} }: StepPage, hasFaults: boolean): number {
  if (Object.values(uploadFaults).includes('checker_unavailable')) return 503;
  return hasFaults ? 422 : 200;
}

function faultTexts({ texts }: Surroundings, { view, step, now, faults = [], uploadFaults = {} }: StepPage) {
  const found = new Map<QuestionId, string>();
  for (const question of step.questions) {
    const fault = faults.find((one) => one.question === question.id);
    const uploadFault = uploadFaults[question.id];
    if (uploadFault) found.set(question.id, uploadFaultText(texts, question, uploadFault));
    else if (fault)
      found.set(question.id, answerFaultText(texts, question, { country: view.country, now }, fault));
  }
  return found;
}

interface StepContentProps {
  readonly around: Surroundings;
  readonly page: StepPage;
  readonly faults: ReadonlyMap<QuestionId, string>;
}

function StepContent({ around, page, faults }: StepContentProps) {
  const { view, step, token } = page;
  const { texts, handedOn } = around;
  // Whoever hands a document on need not see what was saved before.
  const values = page.entered ?? (handedOn ? {} : fieldsOfAnswers(step.questions, step.answers));
  const hasFiles = step.questions.some(({ kind }) => kind === 'document');
  const placed = placeReasons(view.steps, reasonsToCorrect(view)).filter((each) => each.step === step.id);
  const ofPage = placed.flatMap(({ question, reason }) => (question === undefined ? [reason] : []));
  return (
    <>
      <StepTop around={around} page={page} />
      <ReasonNote texts={texts} reasons={ofPage} />
      <form
        method="post"
        action={handedOn ? `${handedOn.baseUrl}/kyc/form` : addressOf(around, pathOfStep(token, step.id))}
        enctype={hasFiles ? 'multipart/form-data' : undefined}
        // Where nobody may frame us, the next page must take the whole window.
        target={handedOn && view.merchant.allowedOrigins.length === 0 ? '_top' : undefined}
        novalidate
        data-form
      >
        {handedOn ? <HiddenFields around={around} token={token} step={step.id} /> : null}
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
            document={handedOn ? undefined : step.documents[question.id]}
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
  readonly around: Surroundings;
  readonly token: string;
  readonly step?: string;
}

/** Before the files, so that it is known whose they are before they are read. */
export function HiddenFields({ around, token, step }: HiddenFieldsProps) {
  return (
    <>
      <input type="hidden" name="token" value={token} />
      {around.isSwitched ? <input type="hidden" name="lang" value={around.texts.locale} /> : null}
      {step ? <input type="hidden" name="step" value={step} /> : null}
    </>
  );
}

function StepTop({ around, page: { view, step, token } }: Omit<StepContentProps, 'faults'>) {
  const { texts } = around;
  const index = view.steps.findIndex(({ id }) => id === step.id);
  const before = view.steps[index - 1];
  return (
    <>
      {before && !around.handedOn ? (
        <a class="back" href={addressOf(around, pathOfStep(token, before.id))}>
          {texts.say('frame.back')}
        </a>
      ) : null}
      <Progress around={around} number={index + 1} total={view.steps.length + 1} />
      <h1>{texts.say(`steps.${step.id}.title`)}</h1>
      <p class="intro">{texts.say(`steps.${step.id}.intro`)}</p>
      {index === 0 ? <Beginning around={around} view={view} token={token} /> : null}
    </>
  );
}

interface ProgressProps {
  readonly around: Surroundings;
  readonly number: number;
  readonly total: number;
}

export function Progress({ around: { texts }, number, total }: ProgressProps) {
  return (
    <div class="progress">
      <p>{texts.say('frame.progress', { number: texts.number(number), total: texts.number(total) })}</p>
      <progress value={number} max={total} aria-hidden="true" />
    </div>
  );
}

interface BeginningProps {
  readonly around: Surroundings;
  readonly view: FormView;
  readonly token: string;
}

/** On the first page: why, what is needed, how long there is; or what to correct, or why it was rejected before. */
function Beginning({ around, view, token }: BeginningProps) {
  const { texts } = around;
  if (view.state === 'ACTION_REQUIRED')
    return <CorrectionOverview around={around} view={view} token={token} />;
  return (
    <>
      {view.rejectedFor.length > 0 ? <RejectionNote texts={texts} reasons={view.rejectedFor} /> : null}
      <div class="note">
        <p>{texts.say('begin.why', { merchant: merchantName(around) })}</p>
        <h2>{texts.say('begin.heading')}</h2>
        <ul>
          <li>{texts.say(`begin.${view.level}`)}</li>
          <li>{texts.say('begin.time')}</li>
        </ul>
      </div>
    </>
  );
}
