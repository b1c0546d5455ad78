/** The route for merchants and their users that tells what an order costs and when it arrives, as JSON or as a page. */
import { HtmlPage } from '../../http/answers/answer.js';
import { readOrPage } from '../../http/page-route.js';
import type { Route } from '../../http/route.js';
import { licenseeMissing } from '../../licensee/service.js';
import { chooseLocale } from '../../locale.js';
import { OrderPath } from '../order/wire/order-shape.js';
import { scopeOf } from '../order/wire/scope.js';
import { receiptHeaders } from '../receipt/page/receipt-page.js';
import { ReceiptQuery } from '../receipt/schemas.js';
import { disclosurePage } from './page.js';
import { DisclosureShape } from './schemas.js';
import type { DisclosureService } from './service.js';

export function disclosureRoute(disclosures: DisclosureService): Route {
  return readOrPage({
    tag: 'Orders',
    method: 'GET',
    path: '/orders/{id}/disclosure',
    operationId: 'getOrderDisclosure',
    summary: 'Get what the sender must be told before paying',
    description:
      'What the transfer costs, what arrives and when, and which rights the sender has, by the rules of the sender’s country. An order that came with `acceptedDisclosure` keeps the text that the sender accepted, in its language; otherwise it is made anew. With `Accept: text/html` or `format=html` it is a page that you can show or print. `POST /orders/preflight` has the same before there is an order.',
    returns: 'The accepted disclosure, or the disclosure as of now.',
    access: { token: 'either', scope: 'orders', user: 'optional' },
    params: OrderPath,
    query: ReceiptQuery,
    answer: DisclosureShape,
    refusals: ['order_not_found', 'licensee_missing'],
    async run(call, database) {
      const { format = call.prefersHtml ? 'html' : 'json', lang } = call.query;
      const locale = chooseLocale({ switchedTo: lang, link: undefined, acceptLanguage: call.acceptLanguage });
      const disclosure = await disclosures.ofOrder(database, scopeOf(call), call.params.id, locale);
      if (!disclosure) throw licenseeMissing();
      if (format === 'json') return disclosure.view;
      const page = disclosurePage(disclosure.wording, disclosure.merchant);
      return new HtmlPage(page.html, receiptHeaders(page.style));
    },
  });
}
