/** Routes for operators: the payments of all merchants, and one with all that became of it. */
import Type, { type Static } from 'typebox';
import { invalidField } from '../../errors.js';
import { ListPage, nextPage, placeAfter } from '../../http/answers/answer.js';
import { readTime } from '../../http/body/read-time.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { auditedRead, type Route } from '../../http/route.js';
import type { CurrencyCode } from '../../money/currency.js';
import { amountFromLiteral } from '../../money/literal.js';
import { numberOf } from '../../orders/order/order.js';
import { viewOfPayment } from '../payment.js';
import { ListedPaymentShape, OrderPath, PaymentFileShape, PaymentPath, PaymentQueryShape } from './schemas.js';
import type { ListedPayment, PaymentDesk, PaymentFile } from './service.js';
import { encodePayer } from './wire.js';

const described = {
  tag: 'Payments for operators',
  access: { token: 'operator', role: 'reviewer' },
  method: 'GET',
} as const;

export function paymentDeskRoutes(desk: PaymentDesk, findPending: FindPending): Route[] {
  return [listRoute(desk), ofOrderRoute(desk), fileRoute(desk, findPending)];
}

function listRoute(desk: PaymentDesk): Route {
  return auditedRead({
    ...described,
    path: '/operator/payments',
    operationId: 'listPayments',
    summary: 'Find payments of all merchants',
    description: 'The header `Link` names the next page.',
    returns: 'A page of payments with who paid.',
    query: PaymentQueryShape,
    answer: Type.Array(ListedPaymentShape),
    refusals: ['merchant_not_found'],
    async run({ by, query }, tx) {
      const { account, merchant, bankReference, payer, outcome, reason, voided, sort = 'newest', limit = 50 } = query;
      const { currency } = query;
      const asked = {
        merchant,
        bankReference,
        payer,
        currency,
        outcome,
        reason,
        accountId: account,
        importId: query.import,
        isVoided: voided === undefined ? undefined : voided === 'yes',
        leastMinor: minorOf('amountFrom', query.amountFrom, currency),
        mostMinor: minorOf('amountTo', query.amountTo, currency),
        bookedFrom: readTime('bookedFrom', query.bookedFrom),
        bookedTo: readTime('bookedTo', query.bookedTo),
      };
      const after = placeAfter(query.after);
      const { payments, next } = await desk.list(tx, by, asked, { sort, after, limit });
      const address = next && nextPage('/operator/payments', query, `${next.atMicros}.${next.id}`);
      return new ListPage(payments.map(encodeListed), address);
    },
  });
}

function ofOrderRoute(desk: PaymentDesk): Route {
  return auditedRead({
    ...described,
    path: '/operator/orders/{id}/payments',
    operationId: 'listOrderPayments',
    summary: 'List the payments of an order with who paid',
    returns: 'All payments that came for the order, the oldest first.',
    params: OrderPath,
    answer: Type.Array(ListedPaymentShape),
    refusals: ['order_not_found'],
    run: async (call, tx) => (await desk.ofOrder(tx, call.by, call.params.id)).map(encodeListed),
  });
}

function fileRoute(desk: PaymentDesk, findPending: FindPending): Route {
  return auditedRead({
    ...described,
    path: '/operator/payments/{paymentId}',
    operationId: 'getPayment',
    summary: 'Get a payment with its payer and all that became of it',
    returns: 'The payment, who paid, the orders that have it, what came into suspense, and corrections.',
    params: PaymentPath,
    answer: PaymentFileShape,
    refusals: ['payment_not_found'],
    async run(call, tx) {
      const file = await desk.look(tx, call.by, call.params.paymentId);
      const record = `payment:${file.payment.paymentId}`;
      const pending = await findPending(tx, [record]);
      return { ...encodeFile(file), ...pendingField(pending.get(record)) };
    },
  });
}

/** Throws `invalid_fields`. */
function minorOf(field: string, text: string | undefined, currency: CurrencyCode | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  if (currency === undefined) throw invalidField('currency', 'required', `is required with ${field}`);
  const read = amountFromLiteral(currency, text);
  if ('fault' in read) throw invalidField(field, read.fault, read.message);
  return read.minor;
}

function encodeListed({ payment, clientId, payer }: ListedPayment): Static<typeof ListedPaymentShape> {
  return {
    ...viewOfPayment(payment),
    merchant: clientId ?? null,
    importId: payment.importedLine?.importId ?? null,
    importLine: payment.importedLine?.line ?? null,
    payer: encodePayer(payer),
  };
}

function encodeFile(file: PaymentFile): Static<typeof PaymentFileShape> {
  const { shares, record, reversals } = file;
  return {
    ...encodeListed(file),
    orders: shares.map(({ orderId, amount }) => ({ orderId, amount: numberOf(amount) })),
    suspense: record
      ? {
          id: record.suspenseId,
          state: record.state,
          amount: numberOf(record.amount),
          remaining: numberOf(record.remaining),
          version: record.version,
        }
      : null,
    corrections: reversals.map((reversal) => ({
      kind: reversal.kind,
      orderId: reversal.orderId ?? null,
      amount: numberOf(reversal.amount),
      lost: numberOf(reversal.lost),
      bankReference: reversal.bankReference ?? null,
      bookedAt: reversal.bookedAt?.toISOString() ?? null,
      recordedAt: reversal.recordedAt.toISOString(),
      settledAt: reversal.settledAt?.toISOString() ?? null,
    })),
  };
}
