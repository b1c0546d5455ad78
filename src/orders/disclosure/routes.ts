/** The route for merchants and their users that tells what an order costs and when it arrives, as JSON or as a page. */
import { RemesaError } from '../../errors.js';
import { HtmlPage } from '../../http/answers/answer.js';
import { readOrPage } from '../../http/page-route.js';
import type { Route } from '../../http/route.js';
import { chooseLocale } from '../../locale.js';
import { OrderPath } from '../order/wire/order-shape.js';
import { scopeOf } from '../order/wire/scope.js';
import { receiptHeaders } from '../receipt/page/receipt-page.js';
import { ReceiptQuery } from '../receipt/schemas.js';
import { disclosurePage } from './page.js';
import { DisclosureShape, viewOfDisclosure } from './schemas.js';
import type { DisclosureService } from './service.js';
import { wordingOf } from './wording.js';

export function disclosureRoute(disclosures: DisclosureService): Route {
  return readOrPage({
    tag: 'Orders',
    method: 'GET',
    path: '/orders/{id}/disclosure',
    operationId: 'getOrderDisclosure',
    summary: 'Get what the sender must be told before paying',
    description:
      'What the transfer costs, what arrives and when, and which rights the sender has, by the rules of the sender’s country. With `Accept: text/html` or `format=html` it is a page that you can show or print. `POST /orders/preflight` has the same before there is an order.',
    returns: 'The disclosure as of now.',
    access: { token: 'either', scope: 'orders', user: 'optional' },
    params: OrderPath,
    query: ReceiptQuery,
    answer: DisclosureShape,
    refusals: ['order_not_found', 'licensee_missing'],
    async run(call, database) {
      const { format = call.prefersHtml ? 'html' : 'json', lang } = call.query;
      const disclosure = await disclosures.ofOrder(database, scopeOf(call), call.params.id);
      if (!disclosure)
        throw new RemesaError('impossible', 'licensee_missing', 'The operator has not entered who holds the licence.');
      const { acceptLanguage } = call;
      const wording = wordingOf(disclosure, chooseLocale({ switchedTo: lang, link: undefined, acceptLanguage }));
      if (format === 'json') return viewOfDisclosure(disclosure, wording);
      const page = disclosurePage(wording, disclosure.merchant);
      return new HtmlPage(page.html, receiptHeaders(page.style));
    },
  });
}
