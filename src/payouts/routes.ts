/** The route for merchants: the code with which a beneficiary gets cash. */
import { RemesaError } from '../errors.js';
import { type Route, read } from '../http/route.js';
import { findOrderOf } from '../orders/order/finding.js';
import { OrderPath } from '../orders/order/wire/order-shape.js';
import { PickupCodeShape } from './schemas.js';
import type { PayoutService } from './service.js';

export function pickupCodeRoutes(payouts: PayoutService): Route[] {
  return [
    read({
      tag: 'Orders',
      method: 'GET',
      path: '/orders/{id}/pickup-code',
      operationId: 'getPickupCode',
      summary: 'Get the pick-up code of an order that is paid in cash',
      description:
        'The code is a secret: anyone who has it can collect the cash. Orders, notifications and logs do not contain it, so fetch it when the sender asks for it.',
      returns: 'The code.',
      access: { token: 'merchant', scope: 'orders', user: 'optional' },
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
