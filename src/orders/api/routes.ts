/** Routes for merchants and their users: orders. */
import type { Static } from 'typebox';
import type { MerchantCaller, SelectedUser, UserCaller } from '../../caller.js';
import { command, type Route, read } from '../../http/route.js';
import { OrderPath, OrderShape } from '../order/wire/order-shape.js';
import { viewOfOrder } from '../order/wire/order-view.js';
import { scopeOf } from '../order/wire/scope.js';
import type { OrderCreation } from '../placing/creation.js';
import type { NewOrderRequest } from '../placing/new-order.js';
import { orderListRoutes } from './listing/routes.js';
import { choiceOf, orderFaults } from './request.js';
import { ChangedBeneficiaryShape, NewOrderShape, OrderBeneficiaryShape } from './schemas.js';
import type { OrderService } from './service.js';

const described = { tag: 'Orders' } as const;
const ofUser = { token: 'either', scope: 'orders', user: 'required' } as const;
const ofOrder = { token: 'either', scope: 'orders', user: 'optional' } as const;
const keptForMonth = { keepForHours: 30 * 24 } as const;

export function orderRoutes(orders: OrderService, creation: OrderCreation): Route[] {
  return [createRoute(creation), ...orderListRoutes(), ...readingRoutes(orders), ...changingRoutes(orders)];
}

function createRoute(creation: OrderCreation): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/orders',
    operationId: 'createOrder',
    summary: 'Create an order',
    description:
      'Takes the quote, which can be used once, and copies the beneficiary. The order keeps the rate of the quote even if the price of the corridor changes. Use an `Idempotency-Key`; keys of orders are kept for 30 days.',
    returns: 'The order, which waits for its payment.',
    access: ofUser,
    body: NewOrderShape,
    inspect: orderFaults,
    answer: OrderShape,
    idempotency: keptForMonth,
    refusals: [
      'rate_not_found',
      'rate_already_used',
      'rate_expired',
      'corridor_unavailable',
      'payin_unavailable',
      'licensee_missing',
      'country_prohibited',
      'payout_unavailable',
      'beneficiary_not_found',
      'external_id_conflict',
      'disclosure_not_accepted',
      'disclosure_changed',
      'originator_incomplete',
      'kyc_level_required',
      'limit_exceeded',
      'rates_unavailable',
      'ledger_fault',
    ],
    run: async (call, tx) => viewOfOrder(await creation.create(tx, call.by, requestOf(call))),
  });
}

function readingRoutes(orders: OrderService): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/orders/{id}',
      operationId: 'getOrder',
      summary: 'Get an order',
      returns: 'The order. It contains nothing personal.',
      access: ofOrder,
      params: OrderPath,
      answer: OrderShape,
      refusals: ['order_not_found', 'ledger_fault'],
      run: async (call, database) => viewOfOrder(await orders.look(database, scopeOf(call), call.params.id)),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/orders/{id}/beneficiary',
      operationId: 'getOrderBeneficiary',
      summary: 'Get the beneficiary of an order',
      description: 'The order has its own copy. Later changes of the beneficiary do not affect it.',
      returns: 'The beneficiary with its full account.',
      access: ofOrder,
      params: OrderPath,
      answer: OrderBeneficiaryShape,
      refusals: ['order_not_found', 'beneficiary_not_found'],
      run: (call, database) => orders.beneficiary(database, scopeOf(call), call.params.id),
    }),
  ];
}

function changingRoutes(orders: OrderService): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      path: '/orders/{id}/beneficiary',
      operationId: 'changeOrderBeneficiary',
      summary: 'Correct the beneficiary of an order',
      description: 'Possible until the order is paid, and while it is `ACTION_REQUIRED`. The amounts stay the same.',
      returns: 'The order.',
      access: ofOrder,
      params: OrderPath,
      body: ChangedBeneficiaryShape,
      inspect: orderFaults,
      answer: OrderShape,
      refusals: [
        'order_not_found',
        'order_transition_not_allowed',
        'beneficiary_not_found',
        'country_prohibited',
        'originator_incomplete',
        'licensee_missing',
        'corridor_unavailable',
        'payout_unavailable',
        'user_not_found',
        'ledger_fault',
      ],
      run: async (call, tx) =>
        viewOfOrder(
          await orders.changeBeneficiary(tx, call.by, {
            scope: scopeOf(call),
            id: call.params.id,
            choice: choiceOf(call.body),
          }),
        ),
    }),
    command({
      ...described,
      method: 'POST',
      path: '/orders/{id}/cancel',
      operationId: 'cancelOrder',
      summary: 'Cancel an order',
      description:
        'Possible until the payout is submitted, and again after it has failed or come back. An order that nothing was paid for becomes `CANCELLED`; otherwise everything that was paid goes back (`REFUND_PENDING`). During a review the cancellation is noted in `cancellationRequestedAt` and takes effect when the review is over. Cancelling again returns the same order.',
      returns: 'The order.',
      access: ofOrder,
      params: OrderPath,
      answer: OrderShape,
      refusals: ['order_not_found', 'order_not_cancellable', 'ledger_fault'],
      run: async (call, tx) => viewOfOrder(await orders.cancel(tx, call.by, scopeOf(call), call.params.id)),
    }),
  ];
}

export function requestOf({
  caller,
  user,
  body,
}: {
  caller: MerchantCaller | UserCaller;
  user: SelectedUser;
  body: Static<typeof NewOrderShape>;
}): NewOrderRequest {
  return {
    merchantId: caller.merchantId,
    userId: user.id,
    rateCode: body.rateCode,
    choice: choiceOf(body),
    payoutMethod: body.payoutMethod,
    purpose: body.purpose,
    sourceOfFunds: body.sourceOfFunds,
    relationship: body.relationship,
    refundAccount: body.refundAccount && { account: {}, ...body.refundAccount },
    externalOrderId: body.externalOrderId,
    metadata: body.metadata ?? {},
    acceptedDisclosure: body.acceptedDisclosure,
  };
}
