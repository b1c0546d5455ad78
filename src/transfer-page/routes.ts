/** Routes of the pages of a transfer. There is no cookie: the token in the address is the only authorisation. */
import Type from 'typebox';
import type { Failure, PageAnswer } from '../http/page.js';
import { live, page } from '../http/page-route.js';
import type { Route } from '../http/route.js';
import { GetPages, type GetPagesOptions } from './handlers/get-pages.js';
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
    ...transferAssets.routes(),
  ];
}

function showFailure(failure: Failure): PageAnswer {
  const [token] = failure.path.replace(/^\/transfer\//, '').split('/');
  return failurePage(pageContextOf(failure, undefined, token), failure);
}
