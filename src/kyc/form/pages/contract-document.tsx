/**
 * The document that the contract promises: the first step, whole in itself, for a merchant to embed, proxy or show in a
 * web view. Nothing personal is in it and no script; it posts to our own address, and the steps after it are pages there.
 */
import type { PageAnswer } from '../../../http/page.js';
import { type HandedOn, type PageContext, pageContextOf } from '../page-context.js';
import type { FormEnded, FormView } from '../view.js';
import { endedPage } from './closed-pages.js';
import { renderPage } from './layout.js';
import { askedFor } from './locale.js';
import { HiddenFields, stepPage } from './step-page.js';

export interface ContractDocument {
  readonly form: FormView | FormEnded;
  /** Of the write token; empty where there is nothing to write. */
  readonly token: string;
  /** Where the world finds us, without a slash at the end. */
  readonly baseUrl: string;
  readonly acceptLanguage: string | undefined;
  readonly now: Date;
}

export function contractDocument(document: ContractDocument): PageAnswer {
  const { form, token, now } = document;
  const context = surroundings(document);
  // A level that is held or refused is told by a page like any other.
  if (form.kind !== 'open') return { ...endedPage(context, form, { isPost: false }), status: 200 };
  const writable = { ...context, here: `form/${token}` };
  const step = form.steps.find(({ isDone }) => !isDone);
  return step ? stepPage(writable, { view: form, step, token, now }) : everythingAnswered(writable, document);
}

function surroundings({ form, token, baseUrl, acceptLanguage }: ContractDocument): PageContext {
  const frame = form.kind === 'unknown' ? undefined : form;
  return {
    ...pageContextOf({ path: '', search: {}, acceptLanguage }, frame, undefined),
    toKyc: `${baseUrl}/kyc/`,
    handedOn: { baseUrl, token },
    // A language that the merchant asked for holds for the pages that follow, whatever the browser prefers.
    isSwitched: askedFor(acceptLanguage) !== undefined,
  };
}

/** All that is left is to check and to send, and the answers must not stand in here. */
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
