/** The routes for merchants: the references of payouts, and the code with which a beneficiary gets cash. */
import Type from 'typebox';
import { RemesaError } from '../errors.js';
import { type Route, read } from '../http/route.js';
import { amountToText } from '../money/literal.js';
import { findOrderOf } from '../orders/order/finding.js';
import { OrderPath } from '../orders/order/wire/order-shape.js';
import { tracePayouts } from './reports/tracing.js';
import { OrderPayoutShape, PickupCodeShape } from './schemas.js';
import type { PayoutService } from './service.js';

export function orderPayoutRoutes(payouts: PayoutService): Route[] {
  return [
    read({
      tag: 'Orders',
      method: 'GET',
      path: '/orders/{id}/payouts',
      operationId: 'listOrderPayouts',
      summary: 'Find out by which references banks know a payout',
      description:
        'For a beneficiary who is still waiting: their bank finds the money by `reference`, ours by `bankReference`. What became of the payout is the status of the order.',
      returns: 'The payouts that have left, the oldest first.',
      access: { token: 'merchant', scope: 'orders', user: 'optional' },
      params: OrderPath,
      answer: Type.Array(OrderPayoutShape),
      refusals: ['order_not_found'],
      async run(call, database) {
        const { merchantId } = call.caller;
        const order = await findOrderOf(database, { merchantId, userId: call.user?.id }, call.params.id);
        const traced = await tracePayouts(database, order);
        return traced.map(({ reference, bankReference = null, amount, method, sentAt }) => ({
          reference,
          bankReference,
          currency: amount.currency as string,
          amount: amountToText(amount),
          method,
          sentAt: sentAt.toISOString(),
        }));
      },
    }),
    read({
      tag: 'Orders',
      method: 'GET',
      path: '/orders/{id}/pickup-code',
      operationId: 'getPickupCode',
      summary: 'Get the pick-up code of an order that is paid in cash',
      description:
        'The code is a secret: anyone who has it can collect the cash. Orders, notifications and logs do not contain it, so fetch it when the sender asks for it.',
      returns: 'The code.',
      access: { token: 'merchant', scope: 'orders', user: 'optional', isSecret: true },
      params: OrderPath,
      answer: PickupCodeShape,
      refusals: ['order_not_found', 'pickup_code_not_found'],
      async run(call, database) {
        const { merchantId } = call.caller;
        const order = await findOrderOf(database, { merchantId, userId: call.user?.id }, call.params.id);
        const pickupCode = await payouts.pickupCode(database, order);
        if (pickupCode !== undefined) return { pickupCode };
        throw new RemesaError('not_found', 'pickup_code_not_found', 'There is no pick-up code now.');
      },
    }),
  ];
}
