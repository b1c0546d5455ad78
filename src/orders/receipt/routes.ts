/** The route for merchants and their users that issues a receipt, as JSON or as a page. */
import { HtmlPage } from '../../http/answers/answer.js';
import { readOrPage } from '../../http/page-route.js';
import type { Route } from '../../http/route.js';
import { chooseLocale } from '../../locale.js';
import { OrderPath } from '../order/wire/order-shape.js';
import { scopeOf } from '../order/wire/scope.js';
import { receiptHeaders, receiptPage } from './page/receipt-page.js';
import { viewOfReceipt } from './receipt.js';
import { ReceiptQuery, ReceiptShape } from './schemas.js';
import type { ReceiptService } from './service.js';

export function receiptRoute(receipts: ReceiptService): Route {
  return readOrPage({
    tag: 'Orders',
    method: 'GET',
    path: '/orders/{id}/receipt',
    operationId: 'getOrderReceipt',
    summary: 'Get the receipt of an order',
    description:
      'Available once the order is paid. With `Accept: text/html` or `format=html` it is a page for the sender, complete in itself, that you can show, send or print. After the user was deleted, the receipt contains no names.',
    returns: 'The receipt as of now.',
    access: { token: 'either', scope: 'orders', user: 'optional' },
    params: OrderPath,
    query: ReceiptQuery,
    answer: ReceiptShape,
    refusals: ['order_not_found', 'receipt_not_available'],
    async run(call, database) {
      const receipt = await receipts.issue(database, scopeOf(call), call.params.id);
      const { format = call.prefersHtml ? 'html' : 'json', lang } = call.query;
      if (format === 'json') return { ...viewOfReceipt(receipt), proof: receipt.proof };
      const { acceptLanguage } = call;
      const offered = receipt.merchant.branding.languages;
      const page = receiptPage(receipt, chooseLocale({ switchedTo: lang, link: undefined, acceptLanguage, offered }));
      return new HtmlPage(page.html, receiptHeaders(page.style));
    },
  });
}
