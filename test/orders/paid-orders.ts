/**
 * Paid orders on a service whose rails are a test's own: what was opened is written down, and the route can be closed.
 */

import { merchantId, storedPublicId } from '../../src/ids.js';
import { lockOrder } from '../../src/orders/order/finding.js';
import type { Order, OrderId, Refund } from '../../src/orders/order/order.js';
import { missingOf } from '../../src/orders/order/payable.js';
import type { PayoutObstacle, PayoutPlan, Payouts, Withdrawn } from '../../src/orders/order/ports.js';
import { findOrder } from '../../src/orders/order/store.js';
import { advanceJob } from '../../src/orders/order/transition.js';
import { eventually } from '../harness/eventually.js';
import type { Remesa } from '../harness/remesa.js';
import type { MadeUser, Merchant } from '../harness/users.js';
import { type Asked, get, placed, sender, verbsOf } from './orders.js';

/** Never fails by itself. An attempt counts once its transaction has committed, which the state of the order tells. */
export class TestPayouts implements Payouts {
  obstacle: PayoutObstacle | undefined;
  readonly payouts: { orderId: string; rail: string }[] = [];
  readonly refunds: { orderId: string; minor: bigint }[] = [];
  isRefundWithdrawable = true;
  isPayoutWithdrawable = false;
  /** The route is open so many more times, and then closed. */
  closesAfter: number | undefined;

  plan(): PayoutPlan | { obstacle: PayoutObstacle } {
    if (this.closesAfter === 0) {
      this.obstacle = 'rail_paused';
      this.closesAfter = undefined;
    } else if (this.closesAfter !== undefined) this.closesAfter -= 1;
    const estimatedArrivalAt = new Date('2030-01-02T15:00:00.000Z');
    return this.obstacle ? { obstacle: this.obstacle } : { rail: 'test', estimatedArrivalAt };
  }

  async countAttempts(): Promise<ReadonlyMap<OrderId, number>> {
    return new Map();
  }

  async openPayout(_tx: unknown, { orderId }: Order, { rail }: PayoutPlan): Promise<void> {
    this.payouts.push({ orderId, rail });
  }

  async openRefund(_tx: unknown, { orderId }: Order, { amount }: Pick<Refund, 'amount'>): Promise<void> {
    this.refunds.push({ orderId, minor: amount.minor });
  }

  async withdrawUnsent(_tx: unknown, { state }: Order): Promise<Withdrawn | undefined> {
    const isPossible = state === 'PAYOUT_SUBMITTED' ? this.isPayoutWithdrawable : this.isRefundWithdrawable;
    return isPossible ? { rail: 'test' } : undefined;
  }

  payoutsOf(id: string): number {
    return this.payouts.filter(({ orderId }) => orderId === id).length;
  }

  refundsOf(id: string): bigint[] {
    return this.refunds.filter(({ orderId }) => orderId === id).map(({ minor }) => minor);
  }
}

export async function loaded(
  running: Remesa,
  id: string,
  { merchant }: Pick<Merchant, 'merchant'> = running.acme,
): Promise<Order> {
  const order = await findOrder(running.service.database, {
    merchantId: merchantId(merchant),
    orderId: storedPublicId('ord', id),
  });
  if (!order) throw new Error('no such order');
  return order;
}

/** Books the payment of everything that is missing, as the payments room does. */
export async function pay(running: Remesa, id: string, merchant: Merchant = running.acme): Promise<Order> {
  const { receiving, users } = await verbsOf(running);
  const order = await loaded(running, id, merchant);
  const payment = { paymentId: `pay_${id.slice(4)}`, amount: missingOf(order) };
  return running.service.database.transaction(async (tx) => {
    const locked = await lockOrder(tx, users, order);
    return receiving.receive(tx, { actor: { kind: 'system', name: 'test' } }, locked, payment);
  });
}

/** Places an order and pays it. Returns its id. */
export async function paid(running: Remesa, asked: Asked & { readonly user?: MadeUser } = {}): Promise<string> {
  const user = asked.user ?? (await sender(running, asked.merchant));
  const { id } = await placed(running, user, asked);
  await pay(running, id, asked.merchant);
  return id;
}

/** Resolves with the order once it has this status. */
export function reaches(
  running: Remesa,
  id: string,
  status: string,
  merchant?: Merchant,
  // biome-ignore lint/suspicious/noExplicitAny: the order as JSON, which the tests examine.
): Promise<any> {
  const inStatus = async () => {
    const { json } = await get(running, id, merchant);
    return json.status === status ? json : undefined;
  };
  return eventually(inStatus, { withinMs: 20_000, what: `${id} ${status}` });
}

/** The balance of each account of an order, as the ledger owes it; accounts without a balance are left out. */
export async function balancesOf({ sql }: Pick<Remesa, 'sql'>, id: string): Promise<Record<string, number>> {
  const { rows } = await sql.query(
    `SELECT account, sum(amount_minor)::int AS minor FROM ledger_postings WHERE reference = $1
      GROUP BY account HAVING sum(amount_minor) <> 0 ORDER BY account`,
    [id],
  );
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
}

/**
 * Resolves once the worker has put each of these paid orders off, or has gone on with it. Before that, it could put an
 * order off that was just told to try again.
 */
export function untilTried({ sql }: Pick<Remesa, 'sql'>, ids: readonly string[]): Promise<unknown> {
  const untried = `SELECT FROM orders WHERE order_id = ANY ($1) AND waits_for IS NULL
                      AND state IN ('PAYMENT_RECEIVED', 'CONVERTED')`;
  return eventually(async () => (await sql.query(untried, [ids])).rowCount === 0, {
    what: 'the worker having tried each order',
  });
}

/** Ends the pause of an order that waits, so that the worker tries it at once. */
export async function tryNow({ sql, service }: Pick<Remesa, 'sql' | 'service'>, id: string): Promise<void> {
  await sql.query('UPDATE orders SET try_at = NULL WHERE order_id = $1', [id]);
  await service.database.transaction(async (tx) => tx.wake(advanceJob));
}
