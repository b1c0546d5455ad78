/**
 * The document of the API contract: the first step, complete in itself, for a merchant to embed, proxy or show in a web
 * view. It contains nothing personal and no script. It posts to our public address, where the other steps are.
 */
import type { PageAnswer } from '../../http/page.js';
import type { FormEnded, FormView } from '../../kyc/submissions/view.js';
import { askedFor } from '../../locale.js';
import { endedPage } from './closed-pages.js';
import { renderPage } from './layout/layout.js';
import { type HandedOn, type PageContext, pageContextOf } from './page-context.js';
import { HiddenFields, stepPage } from './step-page.js';

export interface ContractDocument {
  readonly form: FormView | FormEnded;
  /** The form token; empty when there is nothing to fill in. */
  readonly token: string;
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly acceptLanguage: string | undefined;
  readonly now: Date;
}

export function contractDocument(document: ContractDocument): PageAnswer {
  const { form, token, now } = document;
  const context = contextOf(document);
  // That a level is held or refused is not an error here.
  if (form.kind !== 'open') return { ...endedPage(context, form, { isPost: false }), status: 200 };
  const writable = { ...context, here: `form/${token}` };
  const step = form.steps.find(({ isDone }) => !isDone);
  return step ? stepPage(writable, { view: form, step, token, now }) : everythingAnswered(writable, document);
}

function contextOf({ form, token, baseUrl, acceptLanguage }: ContractDocument): PageContext {
  const frame = form.kind === 'unknown' ? undefined : form;
  return {
    ...pageContextOf({ path: '', search: {}, acceptLanguage }, frame, undefined),
    toKyc: `${baseUrl}/kyc/`,
    handedOn: { baseUrl, token },
    // The language that the merchant requested also applies to the following pages, whatever the browser prefers.
    isSwitched: askedFor(acceptLanguage) !== undefined,
  };
}

/** Only checking and submitting is left. The answers must not be in this document. */
function everythingAnswered(context: PageContext, { baseUrl, token }: HandedOn): PageAnswer {
  const { texts, merchant } = context;
  const title = texts.say('begin.resume');
  return renderPage(context, {
    title,
    children: (
      <form
        method="post"
        action={`${baseUrl}/kyc/form`}
        target={merchant?.allowedOrigins.length === 0 ? '_top' : undefined}
      >
        <HiddenFields context={context} token={token} />
        <h1>{title}</h1>
        <p class="intro">{texts.say('begin.resumeText')}</p>
        <div class="actions">
          <button type="submit" class="main">
            {texts.say('begin.resumeButton')}
          </button>
        </div>
      </form>
    ),
  });
}
