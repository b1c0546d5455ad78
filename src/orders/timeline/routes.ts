/** The route for merchants and their users that shows what happened to an order. */
import { type Route, read } from '../../http/route.js';
import { currencyOf } from '../../ledger/account.js';
import { type JournalContent, minorText, type Posting } from '../../ledger/journal.js';
import { OrderPath } from '../order/wire/order-shape.js';
import { scopeOf } from '../order/wire/scope.js';
import { TimelineShape } from './schemas.js';
import type { TimelineService } from './service.js';
import { viewOfEntry } from './view.js';

export function timelineRoute(timelines: TimelineService): Route {
  return read({
    tag: 'Orders',
    method: 'GET',
    path: '/orders/{id}/timeline',
    operationId: 'getOrderTimeline',
    summary: 'Get the history of an order',
    description: 'With a merchant token, each change comes with the journals that it wrote to the ledger.',
    returns: 'Every change, the oldest first.',
    access: { token: 'either', scope: 'orders', user: 'optional' },
    params: OrderPath,
    answer: TimelineShape,
    refusals: ['order_not_found'],
    async run(call, database) {
      const { id } = call.params;
      if (call.caller.kind === 'user') return (await timelines.forUser(database, scopeOf(call), id)).map(viewOfEntry);
      const entries = await timelines.forMerchant(database, scopeOf(call), id);
      return entries.map((entry) => ({ ...viewOfEntry(entry), journals: entry.journals.map(viewOfJournal) }));
    },
  });
}

export function viewOfJournal({ event, postings }: JournalContent) {
  return { event, postings: postings.map(viewOfPosting) };
}

function viewOfPosting({ account, minor }: Posting) {
  return {
    account: account as string,
    side: minor > 0n ? ('debit' as const) : ('credit' as const),
    currency: currencyOf(account) as string,
    amount: Number(minorText(account, minor > 0n ? minor : -minor)),
  };
}
