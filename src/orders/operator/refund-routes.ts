/** Routes for operators who pay an order back: decide the refund, and try it again after it failed. */
import { command, type Route } from '../../http/route.js';
import { answer, decided, type ReviewRouteOptions, refusals } from './decision-routes.js';
import { RefundRetryShape, RefundShape } from './refund-schemas.js';

const movesMoney = { keepForHours: 24, isRequired: true } as const;

export function refundRoutes({ refunds }: ReviewRouteOptions): Route[] {
  return [
    command({
      ...decided,
      path: '/operator/orders/{id}/refund',
      operationId: 'refundOrder',
      summary: 'Pay an order back',
      description:
        'For an order that is `PAYOUT_FAILED`, `RETURNED`, or `ACTION_REQUIRED` after a payment. Each payer gets back what that payer paid. Only with the reason `beneficiary_data`, what banks charged for the failed payouts is kept (`amountKept` in the order). To end a review, refuse it instead. An order that does not pass the checks of everyone whose money it is goes to review. Needs an `Idempotency-Key`, because it moves money.',
      body: RefundShape,
      idempotency: movesMoney,
      refusals: [...refusals, 'refund_too_small'],
      async run(call, tx) {
        const { keepCharges, ...body } = call.body;
        return answer(tx, await refunds.refund(tx, call.by, call.params.id, { ...body, keepCharges }));
      },
    }),
    command({
      ...decided,
      path: '/operator/orders/{id}/retry-refund',
      operationId: 'retryOrderRefund',
      summary: 'Try a refund again',
      description:
        'For an order that is `REFUND_FAILED`. Each payer has a refund of its own: name one by `refundId`, or try all again that have failed. Without `recipient` the money goes to the account that paid. If the payers’ banks have taken the payments back, nothing is owed any more, and the order becomes `CANCELLED`. An order that does not pass the checks of everyone whose money it is goes to review. A refund to another account needs a second operator. Needs an `Idempotency-Key`, because it moves money.',
      body: RefundRetryShape,
      idempotency: movesMoney,
      fourEyes: {
        action: 'refund.redirect',
        review: (call, tx) => refunds.reviewRetry(tx, call.params.id, { recipient: call.body.recipient }),
      },
      refusals,
      async run(call, tx) {
        const { recipient, refundId, ...body } = call.body;
        return answer(tx, await refunds.retry(tx, call.by, call.params.id, { ...body, refundId, recipient }));
      },
    }),
  ];
}
