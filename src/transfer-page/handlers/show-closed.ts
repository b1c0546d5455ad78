/** Answers a link that opens nothing. */
import type { PageAnswer, Visit } from '../../http/page.js';
import { closedPage } from '../pages/closed-pages.js';
import { pageContextOf } from '../pages/page-context.js';
import type { ClosedTransfer } from '../service.js';

export function showClosed(visit: Visit, closed: ClosedTransfer): PageAnswer {
  const context = pageContextOf(visit, closed.kind === 'ended' ? closed : undefined, undefined);
  return closedPage(context, closed.kind);
}
