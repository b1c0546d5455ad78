/** Routes of the pages of an invited recipient. The token in the address is the only authorisation. */
import Type from 'typebox';
import type { Failure, PageAnswer } from '../http/page.js';
import { page, post } from '../http/page-route.js';
import type { Route } from '../http/route.js';
import { RecipientPages } from './handlers/recipient-pages.js';
import type { InvitationService } from './invitations/service.js';
import { failurePage } from './pages/closed-pages.js';
import { pathOfInvitation } from './pages/invitation-pages.js';
import { pageContextOf } from './pages/page-context.js';

const described = { tag: 'Beneficiaries', access: { token: 'none' }, hidden: true, showFailure } as const;
const WithToken = Type.Object({ token: Type.String({ maxLength: 200, examples: ['unknown'] }) });

export function recipientRoutes(invitations: InvitationService): Route[] {
  const pages = new RecipientPages(invitations);
  return [
    page({
      ...described,
      method: 'GET',
      path: '/recipient/{token}',
      operationId: 'showRecipient',
      summary: 'Asks a recipient for the account, and later shows what is on its way',
      params: WithToken,
      run: (visit, database) => pages.show(visit, database, visit.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/recipient/{token}',
      operationId: 'postRecipient',
      summary: 'Takes the account of a recipient',
      params: WithToken,
      run: (posted) => pages.enter(posted, posted.params.token),
    }),
  ];
}

function showFailure(failure: Failure): PageAnswer {
  const token = failure.path.replace(/^\/recipient\//, '');
  return failurePage(pageContextOf(failure, undefined, pathOfInvitation(token)), failure);
}
