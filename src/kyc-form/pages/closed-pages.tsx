/** Pages with nothing to fill in: the status of a case, a link that opens no form, and errors. */
import { type Drawing, Picture, type Tone } from '../../hosted-pages/picture.js';
import type { Failure, PageAnswer } from '../../http/page.js';
import type { CaseState } from '../../kyc/cases/case.js';
import { type FormEnded, type FormFrame, isRequestedAgain, type StatusView } from '../../kyc/submissions/view.js';
import { renderPage } from './layout/layout.js';
import { addressOf, merchantName, type PageContext } from './page-context.js';
import { returnAddress } from './return-address.js';

/** Used until the automatic decision is made, which usually takes far less than a second. */
const undecidedRefreshSeconds = 3;

type Shown = readonly [Drawing, Tone?];

/** A case that a person looks at has the drawing of one that no person looks at. */
const pictures: Readonly<Record<CaseState, Shown>> = {
  PENDING: ['document', 'attention'],
  SUBMITTED: ['clock'],
  IN_REVIEW: ['clock'],
  APPROVED: ['tick', 'good'],
  REJECTED: ['cross', 'danger'],
  ACTION_REQUIRED: ['question', 'attention'],
  EXPIRED: ['clock', 'attention'],
  REVOKED: ['cross', 'danger'],
};
const pictureOfEnded: Readonly<Record<FormEnded['kind'], Shown>> = {
  unknown: ['question', 'attention'],
  expired: ['clock', 'attention'],
  submitted: ['clock'],
  held: ['tick', 'good'],
  refused: ['cross', 'danger'],
};

function StatePicture({ of: [drawing, tone] }: { readonly of: Shown }) {
  return <Picture of={drawing} tone={tone} />;
}

/** `link`: the path of this link below `/kyc/`. */
export function statusPage(context: PageContext, view: StatusView, link: string): PageAnswer {
  const { texts } = context;
  const { state, expiresAt } = view;
  if (isRequestedAgain(view)) return requestedAgainPage(context, view, link);
  if (state === 'REJECTED') return rejectedPage(context, view);
  const merchant = merchantName(context);
  const validUntil = expiresAt && state === 'APPROVED' ? dateIn(context, view, expiresAt) : undefined;
  const title = texts.say(`status.${state}.title`);
  return renderPage(context, {
    title,
    refreshAfterSeconds: state === 'SUBMITTED' ? undecidedRefreshSeconds : undefined,
    children: (
      <div class="outcome" data-state={state}>
        <StatePicture of={pictures[state]} />
        <h1>{title}</h1>
        <p class="intro">{texts.say(`status.${state}.text`, { merchant })}</p>
        {validUntil ? <p>{texts.say('status.validUntil', { date: validUntil })}</p> : null}
        <HeldLevel context={context} frame={view} />
        <Reasons context={context} frame={view} />
        <Return context={context} frame={view} />
        <p class="hint">{texts.say('status.keep')}</p>
        <p class="hint">{texts.say('frame.reference', { id: view.caseId })}</p>
      </div>
    ),
  });
}

/** Leads into the parts that are needed again, from the status and from the link of the form that was sent. */
export function requestedAgainPage(context: PageContext, frame: FormFrame, link: string): PageAnswer {
  const { texts } = context;
  const title = texts.say('status.ACTION_REQUIRED.title');
  return renderPage(context, {
    title,
    children: (
      <div class="outcome" data-state={frame.state}>
        <StatePicture of={pictures.ACTION_REQUIRED} />
        <h1>{title}</h1>
        <p class="intro">{texts.say('status.ACTION_REQUIRED.text')}</p>
        <HeldLevel context={context} frame={frame} />
        <Reasons context={context} frame={frame} />
        <form method="post" action={addressOf(context, `${link}/reopen`)}>
          <div class="actions">
            <button type="submit" class="main">
              {texts.say('status.reopen')}
            </button>
          </div>
        </form>
        <Return context={context} frame={frame} />
        <p class="hint">{texts.say('frame.reference', { id: frame.caseId })}</p>
      </div>
    ),
  });
}

/** Only the US zone has an order of its own for dates. */
function dateIn({ texts }: PageContext, { zone }: FormFrame, date: Date): string {
  return texts.date(date.toISOString().slice(0, 10), zone === 'US' ? zone : undefined);
}

/** While a level is being renewed, and after a renewal was rejected. */
function HeldLevel({ context, frame }: { readonly context: PageContext; readonly frame: FormFrame }) {
  if (!frame.heldUntil) return null;
  const date = dateIn(context, frame, frame.heldUntil);
  return <p>{context.texts.say('status.heldUntil', { date })}</p>;
}

/** Shows what happened, why, and what the user can do next. */
function rejectedPage(context: PageContext, view: StatusView): PageAnswer {
  const { texts } = context;
  const merchant = merchantName(context);
  const title = texts.say('status.REJECTED.title');
  return renderPage(context, {
    title,
    children: (
      <div class="outcome" data-state={view.state}>
        <StatePicture of={pictures.REJECTED} />
        <h1>{title}</h1>
        <HeldLevel context={context} frame={view} />
        <Reasons context={context} frame={view} />
        <h2>{texts.say('status.next')}</h2>
        <ul>
          <li>{texts.say(view.isFinal ? 'status.finalNext' : 'status.tryAgain', { merchant })}</li>
          <li>{texts.say('status.objection', { merchant })}</li>
        </ul>
        <Return context={context} frame={view} />
        <p class="hint">{texts.say('status.keep')}</p>
        <p class="hint">{texts.say('frame.reference', { id: view.caseId })}</p>
      </div>
    ),
  });
}

const statusOfEnded = { unknown: 404, expired: 410, submitted: 409, held: 409, refused: 409 } as const;

/** Reading a form that was submitted, held or refused is not an error; writing to it is. */
export function endedPage(context: PageContext, ended: FormEnded, options: { isPost: boolean }): PageAnswer {
  const { texts } = context;
  const title = texts.say(`ended.${ended.kind}.title`);
  const isError = options.isPost || ended.kind === 'unknown' || ended.kind === 'expired';
  return renderPage(context, {
    title,
    status: isError ? statusOfEnded[ended.kind] : 200,
    children: (
      <div class="outcome" data-state={ended.kind}>
        <StatePicture of={pictureOfEnded[ended.kind]} />
        <h1>{title}</h1>
        <p class="intro">{texts.say(`ended.${ended.kind}.text`, { merchant: merchantName(context) })}</p>
        {ended.kind === 'refused' ? <Reasons context={context} frame={ended} /> : null}
        {ended.kind === 'unknown' ? null : <Return context={context} frame={ended} />}
        {ended.kind === 'unknown' ? null : <p class="hint">{texts.say('frame.reference', { id: ended.caseId })}</p>}
      </div>
    ),
  });
}

export function failurePage(context: PageContext, failure: Failure): PageAnswer {
  const { texts } = context;
  const kind = kindOfFailure(failure);
  return renderPage(context, {
    title: texts.say(`failures.${kind}.title`),
    status: failure.status,
    children: (
      <div class="outcome" data-state="failure">
        <Picture of="question" tone="attention" />
        <h1>{texts.say(`failures.${kind}.title`)}</h1>
        <p class="intro">{texts.say(`failures.${kind}.text`)}</p>
        {context.here === undefined || kind === 'notFound' ? null : (
          <div class="actions">
            <a class="main" href={`${context.toKyc}${context.here}`}>
              {texts.say('failures.again')}
            </a>
          </div>
        )}
        <p class="hint">{texts.say('frame.reference', { id: failure.requestId })}</p>
      </div>
    ),
  });
}

function kindOfFailure({ status, code }: Failure) {
  if (code === 'outcome_unknown') return 'unsure';
  if (status === 404 || status === 405) return 'notFound';
  if (status === 413) return 'tooLarge';
  if (status === 429) return 'tooMany';
  if (status === 503) return 'busy';
  return status >= 500 ? 'broken' : 'unreadable';
}

function Reasons({ context: { texts }, frame }: { readonly context: PageContext; readonly frame: FormFrame }) {
  if (frame.publicReasons.length === 0) return null;
  return (
    <>
      <h2>{texts.say('status.why')}</h2>
      <ul>
        {frame.publicReasons.map((reason) => (
          <li key={reason}>{texts.say(`reasons.${reason}`)}</li>
        ))}
      </ul>
    </>
  );
}

/** A link, because the content security policy lets no form lead to another origin. */
function Return({ context, frame }: { readonly context: PageContext; readonly frame: FormFrame }) {
  const address = returnAddress(frame);
  if (!address) return null;
  return (
    <div class="actions">
      <a class="main" href={address} rel="noreferrer">
        {context.texts.say('frame.returnTo', { merchant: merchantName(context) })}
      </a>
    </div>
  );
}
