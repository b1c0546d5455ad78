/** Pages without a transfer: a link that opens nothing, and errors. */
import { Picture } from '../../hosted-pages/picture.js';
import type { FailureKind } from '../../hosted-pages/words/catalogue.js';
import type { Failure, PageAnswer } from '../../http/page.js';
import { renderPage } from './layout.js';
import { merchantName, type PageContext } from './page-context.js';

const statusOfClosed = { unknown: 404, ended: 410 } as const;

export function closedPage(context: PageContext, kind: keyof typeof statusOfClosed): PageAnswer {
  const { texts } = context;
  const { title, text } = texts.transfer[kind];
  return renderPage(context, {
    title,
    status: statusOfClosed[kind],
    children: (
      <div class="outcome" data-state={kind === 'ended' ? 'expired' : kind}>
        <Picture of={kind === 'ended' ? 'clock' : 'question'} tone="attention" />
        <h1>{title}</h1>
        <p class="intro">{texts.fill(text, { merchant: merchantName(context) })}</p>
      </div>
    ),
  });
}

export function failurePage(context: PageContext, failure: Failure): PageAnswer {
  const { texts, here, toTransfer } = context;
  const { failures } = texts.hosted;
  const { title, text } = failures[kindOfFailure(failure)];
  return renderPage(context, {
    title,
    status: failure.status,
    children: (
      <div class="outcome" data-state="failure">
        <Picture of="question" tone="attention" />
        <h1>{title}</h1>
        <p class="intro">{text}</p>
        {here === undefined || failure.status === 404 ? null : (
          <div class="actions">
            <a class="main" href={`${toTransfer}${here}`}>
              {failures.again}
            </a>
          </div>
        )}
        <p class="hint">{texts.frame('reference', { id: failure.requestId })}</p>
      </div>
    ),
  });
}

function kindOfFailure({ status, code }: Failure): FailureKind {
  if (code === 'outcome_unknown') return 'unsure';
  if (status === 404 || status === 405) return 'notFound';
  if (status === 413) return 'tooLarge';
  if (status === 429) return 'tooMany';
  if (status === 503) return 'busy';
  return status >= 500 ? 'broken' : 'unreadable';
}
