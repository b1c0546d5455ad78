/** Routes of the hosted form. There is no cookie: the token in the address is the only authorisation. */
import Type from 'typebox';
import type { Clock } from '../clock.js';
import type { InspectUpload } from '../documents/inspect.js';
import type { Failure, PageAnswer } from '../http/page.js';
import { page, post } from '../http/page-route.js';
import type { Route } from '../http/route.js';
import type { FormService } from '../kyc/submissions/service.js';
import { forScript } from './handlers/browser-answers.js';
import { GetPages } from './handlers/get-pages.js';
import { PostPages } from './handlers/post-pages.js';
import { failurePage } from './pages/closed-pages.js';
import { formAssets } from './pages/layout/assets.js';
import { pageContextOf } from './pages/page-context.js';

export interface FormRouteOptions {
  readonly forms: FormService;
  readonly inspect: InspectUpload;
  readonly clock: Clock;
}

const described = { tag: 'KYC', access: { token: 'none' }, hidden: true, showFailure } as const;
const Token = Type.String({ maxLength: 200, examples: ['unknown'] });
const WithToken = Type.Object({ token: Token });
const WithStep = Type.Object({ token: Token, step: Type.String({ maxLength: 200, examples: ['person'] }) });

export function formRoutes(options: FormRouteOptions): Route[] {
  const getPages = new GetPages(options.forms, options.clock);
  const postPages = new PostPages(options);
  return [
    post({
      ...described,
      method: 'POST',
      path: '/kyc/form',
      operationId: 'postFirstStep',
      summary: 'Takes the first step from wherever the document was shown',
      run: (posted) => postPages.first(posted),
    }),
    page({
      ...described,
      method: 'GET',
      path: '/kyc/form/{token}',
      operationId: 'openForm',
      summary: 'Leads to the first step that is not done',
      params: WithToken,
      run: (visit, database) => getPages.open(visit, database, visit.params.token),
    }),
    page({
      ...described,
      method: 'GET',
      path: '/kyc/form/{token}/check',
      operationId: 'showAnswers',
      summary: 'Shows all answers before they are sent',
      params: WithToken,
      run: (visit, database) => getPages.check(visit, database, visit.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/kyc/form/{token}/check',
      operationId: 'submitForm',
      summary: 'Sends the answers',
      params: WithToken,
      run: (posted) => postPages.check(posted, posted.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/kyc/form/{token}/extend',
      operationId: 'extendForm',
      summary: 'Gives more time',
      params: WithToken,
      run: (posted) => postPages.extend(posted, posted.params.token),
    }),
    page({
      ...described,
      method: 'GET',
      path: '/kyc/form/{token}/{step}',
      operationId: 'showStep',
      summary: 'Shows one step',
      params: WithStep,
      run: (visit, database) => getPages.step(visit, database, visit.params.token, visit.params.step),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/kyc/form/{token}/reopen',
      operationId: 'reopenForm',
      summary: 'Opens what is needed again of a form that was sent',
      params: WithToken,
      run: (posted) => postPages.reopen(posted, 'form', posted.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/kyc/form/{token}/{step}',
      operationId: 'postStep',
      summary: 'Keeps one step, or one file of it',
      params: WithStep,
      run: (posted) => postPages.step(posted, posted.params.token, posted.params.step),
    }),
    page({
      ...described,
      method: 'GET',
      path: '/kyc/status/{statusToken}',
      operationId: 'showStatus',
      summary: 'Shows how a case stands',
      params: Type.Object({ statusToken: Token }),
      run: (visit, database) => getPages.status(visit, database, visit.params.statusToken),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/kyc/status/{statusToken}/reopen',
      operationId: 'reopenFromStatus',
      summary: 'Opens what is needed again, from the status',
      params: Type.Object({ statusToken: Token }),
      run: (posted) => postPages.reopen(posted, 'status', posted.params.statusToken),
    }),
    ...formAssets.routes(),
  ];
}

function showFailure(failure: Failure): PageAnswer {
  const below = failure.path.replace(/^\/kyc\//, '');
  // `/kyc/form` accepts POST only, so there is no page to go back to.
  const context = pageContextOf(failure, undefined, below === 'form' ? undefined : below);
  return forScript(failure, failurePage(context, failure));
}
