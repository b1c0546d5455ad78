/** Shows why something is requested again: an overview on the first page, and on each page its own reasons. */
import type { PublicReason } from '../../kyc/cases/case.js';
import type { FormView } from '../../kyc/submissions/view.js';
import { addressOf, type PageContext, pathOfStep } from './page-context.js';
import { placeReasons } from './reason-places.js';
import type { Texts } from './texts/texts.js';

/** The reasons of a request. Reasons of a rejection are on the first page of the new form. */
export function reasonsToCorrect({ state, publicReasons }: FormView): readonly PublicReason[] {
  return state === 'ACTION_REQUIRED' ? publicReasons : [];
}

/** Each reason once. */
export function ReasonNote(props: { readonly texts: Texts; readonly reasons: readonly PublicReason[] }) {
  const { texts } = props;
  const reasons = [...new Set(props.reasons)];
  if (reasons.length === 0) return null;
  return (
    <div class="reason">
      {reasons.map((reason) => (
        <p key={reason}>{texts.say(`reasons.${reason}`)}</p>
      ))}
    </div>
  );
}

interface OverviewProps {
  readonly context: PageContext;
  readonly view: FormView;
  readonly token: string;
}

/** Links to the pages to correct. A document that a merchant passes on has no pages to link to. */
export function CorrectionOverview({ context, view, token }: OverviewProps) {
  const { texts, handedOn } = context;
  const placed = placeReasons(view.steps, reasonsToCorrect(view));
  const concerned = view.steps.filter(({ id }) => placed.some(({ step }) => step === id));
  return (
    <div class="note attention">
      <h2>{texts.say('begin.again')}</h2>
      <p>{texts.say('begin.againWhy')}</p>
      <ul>
        {concerned.map(({ id }) => {
          const title = texts.say(`steps.${id}.title`);
          return <li key={id}>{handedOn ? title : <a href={addressOf(context, pathOfStep(token, id))}>{title}</a>}</li>;
        })}
      </ul>
    </div>
  );
}

/** On the first page of a form that follows a rejection. */
export function RejectionNote({
  texts,
  reasons,
}: {
  readonly texts: Texts;
  readonly reasons: readonly PublicReason[];
}) {
  return (
    <div class="note attention">
      <h2>{texts.say('begin.rejected')}</h2>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{texts.say(`reasons.${reason}`)}</li>
        ))}
      </ul>
    </div>
  );
}
