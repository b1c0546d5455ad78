/** The last page: all answers, the consent, and the submit button. */
import type { PageFault } from '../../hosted-pages/frame.js';
import type { PageAnswer } from '../../http/page.js';
import type { Question, StepId } from '../../kyc/cases/requirements.js';
import { isDue } from '../../kyc/checks/answers.js';
import type { StepView } from '../../kyc/submissions/state.js';
import type { FormView } from '../../kyc/submissions/view.js';
import { receivedText } from './fields/document-field.js';
import { labelOf } from './fields/fault-texts.js';
import { renderPage } from './layout/layout.js';
import { addressOf, merchantName, type PageContext, pathOfStep } from './page-context.js';
import { ReasonNote, reasonsToCorrect } from './reason-notes.js';
import { placeReasons } from './reason-places.js';
import { secondsLeft } from './remaining.js';
import { Progress } from './step-page.js';
import { consentParts } from './texts/consent.js';
import { countryName } from './texts/countries.js';
import type { Texts } from './texts/texts.js';

export interface CheckPage {
  readonly view: FormView;
  readonly token: string;
  readonly now: Date;
  /** The form was submitted without consent. */
  readonly lacksConsent?: boolean;
  /** The form was submitted although these steps are not finished. */
  readonly missing?: readonly StepId[];
}

export function checkPage(context: PageContext, page: CheckPage): PageAnswer {
  const { texts } = context;
  const faults: PageFault[] = [
    ...(page.missing ?? []).map((step) => ({
      field: `step-${step}`,
      text: texts.say('check.missing', { title: texts.say(`steps.${step}.title`) }),
    })),
    ...(page.lacksConsent ? [{ field: 'consent', text: texts.say('check.consentRequired') }] : []),
  ];
  return renderPage(context, {
    title: texts.say('check.title'),
    faults,
    status: faults.length > 0 ? 422 : 200,
    expiresInSeconds: secondsLeft(page.view, page.now),
    extendAt: addressOf(context, `form/${page.token}/extend`),
    children: <CheckContent context={context} page={page} />,
  });
}

function CheckContent({ context, page }: { readonly context: PageContext; readonly page: CheckPage }) {
  const { texts } = context;
  const { view, token } = page;
  const last = view.steps.at(-1);
  const total = view.steps.length + 1;
  return (
    <>
      {last ? (
        <a class="back" href={addressOf(context, pathOfStep(token, last.id))}>
          {texts.say('frame.back')}
        </a>
      ) : null}
      <Progress context={context} number={total} total={total} />
      <h1>{texts.say('check.title')}</h1>
      <p class="intro">{texts.say('check.intro')}</p>
      {view.steps.map((step) => (
        <StepAnswers key={step.id} context={context} token={token} view={view} step={step} />
      ))}
      <form method="post" action={addressOf(context, pathOfStep(token, 'check'))} novalidate data-form>
        <Consent context={context} lacksConsent={page.lacksConsent ?? false} />
        <div class="actions">
          <button type="submit" class="main">
            {texts.say('check.submit')}
          </button>
        </div>
      </form>
    </>
  );
}

interface StepAnswersProps {
  readonly context: PageContext;
  readonly token: string;
  readonly view: FormView;
  readonly step: StepView;
}

function StepAnswers({ context, token, view, step }: StepAnswersProps) {
  const { texts } = context;
  const reasons = placeReasons(view.steps, reasonsToCorrect(view)).filter((placed) => placed.step === step.id);
  const title = texts.say(`steps.${step.id}.title`);
  return (
    <section class={step.isDone ? 'answers' : 'answers unfinished'} id={`step-${step.id}`} tabindex={-1}>
      <div class="heading">
        <h2>{title}</h2>
        <a href={addressOf(context, pathOfStep(token, step.id))}>
          {texts.say('check.change')}
          <span class="aside"> {title}</span>
        </a>
      </div>
      <ReasonNote texts={texts} reasons={reasons.map(({ reason }) => reason)} />
      <dl>
        {step.questions
          .filter((question) => isDue(question, step.answers))
          .map((question) => (
            <div key={question.id}>
              <dt>{labelOf(texts, question, view.country)}</dt>
              <dd dir={directionOfAnswer(question)}>{answerText(texts, question, step, view.country)}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** Codes are written from left to right in every language. */
function directionOfAnswer({ kind, format }: Question): 'ltr' | 'auto' {
  return kind === 'phone' || kind === 'mrz' || format !== undefined ? 'ltr' : 'auto';
}

function answerText(texts: Texts, question: Question, step: StepView, country: string | undefined): string {
  if (question.kind === 'document') {
    const document = step.documents[question.id];
    return document ? receivedText(texts, document) : texts.say('check.nothing');
  }
  const answer = step.answers[question.id];
  if (answer === undefined || answer === '') return texts.say('check.nothing');
  switch (question.kind) {
    case 'country':
      return countryName(texts.locale, answer);
    case 'date':
      return texts.date(answer, country);
    case 'choice':
      return texts.sayIfKnown(`options.${question.id}.${answer}`) ?? answer;
    default:
      return answer;
  }
}

function Consent({ context, lacksConsent }: { readonly context: PageContext; readonly lacksConsent: boolean }) {
  const { texts } = context;
  return (
    <fieldset
      class={lacksConsent ? 'field consent faulty' : 'field consent'}
      aria-describedby={lacksConsent ? 'consent-fault' : undefined}
    >
      <legend>{texts.say('check.consentHeading')}</legend>
      <ul>
        {consentParts.map((part) => (
          <li key={part}>{texts.say(`consent.${part}`, { merchant: merchantName(context) })}</li>
        ))}
      </ul>
      {lacksConsent ? (
        <p class="fault" id="consent-fault">
          {texts.say('check.consentRequired')}
        </p>
      ) : null}
      <div class="choice">
        <input type="checkbox" id="consent" name="consent" value="yes" aria-required="true" />
        <label for="consent">{texts.say('check.consent')}</label>
      </div>
    </fieldset>
  );
}
