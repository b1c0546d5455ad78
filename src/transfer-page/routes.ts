/** Routes of the pages of a transfer. There is no cookie: the token in the address is the only authorisation. */
import Type from 'typebox';
import type { Failure, PageAnswer } from '../http/page.js';
import { live, page, post } from '../http/page-route.js';
import type { Route } from '../http/route.js';
import { GetPages, type GetPagesOptions } from './handlers/get-pages.js';
import { PostPages } from './handlers/post-pages.js';
import type { TransferWatch } from './live/watch.js';
import { transferAssets } from './pages/assets.js';
import { failurePage } from './pages/closed-pages.js';
import { pageContextOf } from './pages/page-context.js';
import { isFinal } from './stage.js';

const described = { tag: 'Orders', access: { token: 'none' }, hidden: true, showFailure } as const;
const WithToken = Type.Object({ token: Type.String({ maxLength: 200, examples: ['unknown'] }) });

export interface TransferPageOptions extends GetPagesOptions {
  readonly watch: TransferWatch;
}

export function transferPageRoutes(options: TransferPageOptions): Route[] {
  const getPages = new GetPages(options);
  const postPages = new PostPages(options);
  return [
    page({
      ...described,
      method: 'GET',
      path: '/transfer/{token}',
      operationId: 'showTransfer',
      summary: 'Shows how to pay for a transfer, and how it stands',
      params: WithToken,
      run: (visit, database) => getPages.transfer(visit, database, visit.params.token),
    }),
    live({
      ...described,
      method: 'GET',
      path: '/transfer/{token}/live',
      operationId: 'followTransfer',
      summary: 'Tells the page of a transfer when to show itself again',
      params: WithToken,
      async run({ params: { token }, lastEventId }, database) {
        const transfer = await options.transfers.open(database, token);
        if (transfer.kind !== 'open' || isFinal(transfer.stage)) return undefined;
        return options.watch.feedOf(transfer, lastEventId);
      },
    }),
    page({
      ...described,
      method: 'GET',
      path: '/transfer/{token}/receipt',
      operationId: 'showTransferReceipt',
      summary: 'Shows the receipt of a transfer',
      params: WithToken,
      run: (visit, database) => getPages.receipt(visit, database, visit.params.token),
    }),
    page({
      ...described,
      method: 'GET',
      path: '/transfer/{token}/cancel',
      operationId: 'showTransferCancellation',
      summary: 'Asks whether a transfer is to be cancelled',
      params: WithToken,
      run: (visit, database) => getPages.cancel(visit, database, visit.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/transfer/{token}/cancel',
      operationId: 'postTransferCancellation',
      summary: 'Cancels a transfer',
      params: WithToken,
      run: (posted) => postPages.cancel(posted, posted.params.token),
    }),
    page({
      ...described,
      method: 'GET',
      path: '/transfer/{token}/recipient',
      operationId: 'showTransferRecipient',
      summary: 'Shows what is known of the recipient as a form',
      params: WithToken,
      run: (visit, database) => getPages.recipient(visit, database, visit.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/transfer/{token}/recipient',
      operationId: 'postTransferRecipient',
      summary: 'Corrects the recipient',
      params: WithToken,
      run: (posted) => postPages.recipient(posted, posted.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/transfer/{token}/answers',
      operationId: 'postTransferAnswers',
      summary: 'Takes what the sender was asked for',
      params: WithToken,
      run: (posted) => postPages.answers(posted, posted.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/transfer/{token}/requote',
      operationId: 'postTransferRequote',
      summary: 'Accepts or refuses new terms',
      params: WithToken,
      run: (posted) => postPages.requote(posted, posted.params.token),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/transfer/{token}/code',
      operationId: 'postTransferCode',
      summary: 'Shows the pick-up code',
      params: WithToken,
      run: (posted) => postPages.code(posted, posted.params.token),
    }),
    ...transferAssets.routes(),
  ];
}

function showFailure(failure: Failure): PageAnswer {
  const [token] = failure.path.replace(/^\/transfer\//, '').split('/');
  return failurePage(pageContextOf(failure, undefined, token), failure);
}
