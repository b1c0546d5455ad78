/** Orders beyond their creation, driven by transitions, as the rooms that move money drive them. */
import { merchantId, storedPublicId } from '../../src/ids.js';
import * as book from '../../src/ledger/postings.js';
import type { Order } from '../../src/orders/order/order.js';
import type { OrderEvent } from '../../src/orders/order/order-events.js';
import { findOrder } from '../../src/orders/order/store.js';
import type { Move, OrderChange } from '../../src/orders/order/transition.js';
import type { Remesa } from '../harness/remesa.js';
import type { MadeUser, Merchant } from '../harness/users.js';
import { type AnyMove, actorOf, type Books, stepsFrom } from './histories.js';
import { type Asked, placed, verbsOf } from './orders.js';

export async function storedOrder(running: Remesa, id: string, merchant: Merchant = running.acme): Promise<Order> {
  const ref = { merchantId: merchantId(merchant.merchant), orderId: storedPublicId('ord', id) };
  const order = await findOrder(running.service.database, ref);
  if (!order) throw new Error(`there is no order ${id}`);
  return order;
}

export async function apply(running: Remesa, order: Order, move: AnyMove): Promise<Order> {
  const { transitions } = await verbsOf(running);
  return running.service.database.transaction((tx) =>
    transitions.applyTransition(tx, actorOf(move.event), order, move as Move),
  );
}

/** An order whose money has arrived. */
export async function paidOrder(
  running: Remesa,
  user: MadeUser,
  { change = {}, ...asked }: Asked & { readonly change?: OrderChange } = {},
): Promise<Order> {
  const { id } = await placed(running, user, asked);
  const order = await storedOrder(running, id, asked.merchant);
  return apply(running, order, {
    event: 'complete_payment',
    change: { amountReceived: order.amountIn, ...change },
    journals: [book.paymentReceived('pay_1', order.orderId, order.amountIn)],
  });
}

/** Goes through the events one after another, each with the journals that belong to it. */
export async function drive(running: Remesa, order: Order, ...events: readonly OrderEvent[]): Promise<Order> {
  let [current, books]: [Order, Books] = [order, { place: 'liability' }];
  for (const event of events) {
    const step = stepsFrom(current, books).find(({ move }) => move.event === event);
    if (!step) throw new Error(`${event} is not possible in ${current.state}`);
    current = await apply(running, current, step.move);
    books = step.books;
  }
  return current;
}
