/** The GET pages of the form. They write nothing, so a prefetched link loses nothing. */
import type { Clock } from '../../clock.js';
import type { PageAnswer, Visit } from '../../http/page.js';
import type { FormService } from '../../kyc/submissions/service.js';
import type { FormView } from '../../kyc/submissions/view.js';
import type { Queryable } from '../../postgres/statement.js';
import { checkPage } from '../pages/check-page.js';
import { endedPage, statusPage } from '../pages/closed-pages.js';
import { pageContextOf, pathOfStep } from '../pages/page-context.js';
import { stepPage } from '../pages/step-page.js';
import { redirect, showEnded } from './browser-answers.js';

export class GetPages {
  constructor(
    readonly forms: FormService,
    readonly clock: Clock,
  ) {}

  /** The way to the first step that is not done. */
  async open(visit: Visit, database: Queryable, token: string): Promise<PageAnswer> {
    const form = await this.forms.open(database, token);
    return form.kind === 'open' ? toNextStep(visit, form, token) : showEnded(visit, form, token, false);
  }

  async step(visit: Visit, database: Queryable, token: string, stepId: string): Promise<PageAnswer> {
    const view = await this.forms.open(database, token);
    if (view.kind !== 'open') return showEnded(visit, view, token, false);
    const step = view.steps.find(({ id }) => id === stepId);
    if (!step) return toNextStep(visit, view, token);
    const context = pageContextOf(visit, view, pathOfStep(token, step.id));
    return stepPage(context, { view, step, token, now: this.clock.now() });
  }

  async check(visit: Visit, database: Queryable, token: string): Promise<PageAnswer> {
    const view = await this.forms.open(database, token);
    if (view.kind !== 'open') return showEnded(visit, view, token, false);
    if (view.steps.some(({ isDone }) => !isDone)) return toNextStep(visit, view, token);
    const context = pageContextOf(visit, view, pathOfStep(token, 'check'));
    return checkPage(context, { view, token, now: this.clock.now() });
  }

  async status(visit: Visit, database: Queryable, statusToken: string): Promise<PageAnswer> {
    const view = await this.forms.status(database, statusToken);
    const link = `status/${statusToken}`;
    const context = pageContextOf(visit, view, link);
    return view ? statusPage(context, view, link) : endedPage(context, { kind: 'unknown' }, { isPost: false });
  }
}

function toNextStep(visit: Visit, view: FormView, token: string): PageAnswer {
  const next = view.steps.find(({ isDone }) => !isDone)?.id ?? 'check';
  return redirect(pageContextOf(visit, view, undefined), pathOfStep(token, next));
}
