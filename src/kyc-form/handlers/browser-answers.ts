/** Answers to browsers: a page, a redirect, or JSON for the script of a page. */
import type { PageAnswer, Visit } from '../../http/page.js';
import { type FormEnded, isRequestedAgain } from '../../kyc/submissions/view.js';
import { endedPage, requestedAgainPage } from '../pages/closed-pages.js';
import { addressOf, type PageContext, pageContextOf } from '../pages/page-context.js';

/** Follows every POST, so that going back or reloading sends nothing twice. */
export function redirect(context: PageContext, below: string): PageAnswer {
  return { status: 303, headers: { location: addressOf(context, below) } };
}

/** The script posts without leaving the page; it follows `location` or shows `page`. */
export function forScript({ wantsJson }: Pick<Visit, 'wantsJson'>, answer: PageAnswer): PageAnswer {
  if (!wantsJson || answer.json !== undefined) return answer;
  const { location, ...headers } = answer.headers ?? {};
  if (location !== undefined) return { status: 200, headers, json: { location } };
  return { status: answer.status ?? 200, headers, json: { page: answer.html ?? '' } };
}

export function showEnded(visit: Visit, ended: FormEnded, token: string, isPost: boolean): PageAnswer {
  const link = `form/${token}`;
  const context = pageContextOf(visit, ended.kind === 'unknown' ? undefined : ended, link);
  if (ended.kind === 'submitted' && isRequestedAgain(ended) && !isPost) return requestedAgainPage(context, ended, link);
  return forScript(visit, endedPage(context, ended, { isPost }));
}
