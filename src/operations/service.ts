/**
 * The operators' desk. Owns nothing: it brings together what orders, payments, payouts, webhooks and approvals know of
 * an order. It shows nothing personal.
 */
import { RemesaError } from '../errors.js';
import { type MerchantId, publicId, type UserId, userId } from '../ids.js';
import { clientIdsOf, merchantIdOf } from '../merchants/service.js';
import type { DeskPage, OrderDesk } from '../orders/operator/desk/service.js';
import type { StuckReason } from '../orders/operator/desk/stuck.js';
import { findOrderById, recordOf } from '../orders/order/finding.js';
import type { Order, OrderId } from '../orders/order/order.js';
import type { Review } from '../orders/order/review.js';
import type { OrderState } from '../orders/order/transitions.js';
import type { EntryWithJournals } from '../orders/timeline/timeline.js';
import { listOrdersPaidBy, listPaymentsOf, listSuspenseOf } from '../payments/desk/order-payments.js';
import type { Payment } from '../payments/payment.js';
import type { SuspenseRecord } from '../payments/suspense/suspense.js';
import type { Attempt } from '../payouts/attempt.js';
import { listAttemptsOf, listOrdersPaidOutBy, listOrdersWithoutOutcome } from '../payouts/desk/order-attempts.js';
import type { Queryable } from '../postgres/statement.js';
import { listEventsOfSubject, type SubjectEvent } from '../webhooks/service.js';

/** More orders than this are never found by one reference. */
const foundAtMost = 100;
const eventsShown = 1000;
/** When a rail is away for long, the others are still listed once they are overdue. */
const unknownAtMost = 1000;

export interface DeskQuery {
  readonly search: string | undefined;
  readonly merchant: string | undefined;
  readonly states: readonly OrderState[] | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export interface ListedOrder {
  readonly order: Order;
  readonly clientId: string;
}

export interface OrderFile extends ListedOrder {
  readonly timeline: readonly EntryWithJournals[];
  readonly payments: readonly Payment[];
  readonly suspense: readonly SuspenseRecord[];
  readonly attempts: readonly Attempt[];
  readonly reviews: readonly Review[];
  readonly events: readonly SubjectEvent[];
}

export class DeskService {
  constructor(readonly orders: OrderDesk) {}

  /** The newest first. What a reference finds fits on one page. Throws `merchant_not_found`. */
  async search(database: Queryable, query: DeskQuery, page: DeskPage): Promise<ListedOrder[]> {
    const { search, merchant, ...rest } = query;
    const merchantId = merchant === undefined ? undefined : await merchantIdOf(database, merchant);
    const filter = { ...rest, merchantId };
    const found = search === undefined || page.after ? [] : await this.#find(database, search);
    const user = search === undefined ? undefined : userIdOf(search);
    const isList = search === undefined || (found.length === 0 && user !== undefined);
    const orders = isList
      ? await this.orders.list(database, { ...filter, userId: user }, page)
      : found.filter((order) => fits(order, filter));
    return withMerchants(database, orders);
  }

  /** The one that has not moved for longest first. */
  async stuck(database: Queryable, page: DeskPage): Promise<(ListedOrder & { readonly reason: StuckReason })[]> {
    const unknown = await listOrdersWithoutOutcome(database, unknownAtMost);
    const stuck = await this.orders.listStuck(database, page, unknown);
    const reasons = new Map<OrderId, StuckReason>(stuck.map(({ order, reason }) => [order.orderId, reason]));
    const listed = await withMerchants(
      database,
      stuck.map(({ order }) => order),
    );
    return listed.flatMap((item) => {
      const reason = reasons.get(item.order.orderId);
      return reason ? [{ ...item, reason }] : [];
    });
  }

  /** Throws `order_not_found`. */
  async look(database: Queryable, id: string): Promise<OrderFile> {
    const { orders } = this;
    const order = await findOrderById(database, id);
    const [[listed], timeline, payments, suspense, attempts, reviews, events] = await Promise.all([
      withMerchants(database, [order]),
      orders.timeline(database, order),
      listPaymentsOf(database, order),
      listSuspenseOf(database, order),
      listAttemptsOf(database, order),
      orders.reviews(database, order),
      listEventsOfSubject(database, order.merchantId, recordOf(order), eventsShown),
    ]);
    const clientId = listed?.clientId ?? '';
    return { order, clientId, timeline, payments, suspense, attempts, reviews, events };
  }

  /** The newest first, each once. */
  async #find(database: Queryable, text: string): Promise<Order[]> {
    const { orders } = this;
    const orderId = publicId('ord', text);
    if (orderId) return findOrderById(database, orderId).then((order) => [order], ignoreNotFound);
    const [byText, paid, paidOut] = await Promise.all([
      orders.listByText(database, text, foundAtMost),
      listOrdersPaidBy(database, text, foundAtMost),
      listOrdersPaidOutBy(database, text, foundAtMost),
    ]);
    const referred = await orders.findAll(database, [...paid, ...paidOut]);
    const all = [...byText, ...referred.flatMap((order) => order ?? [])];
    const distinct = new Map<OrderId, Order>(all.map((order) => [order.orderId, order]));
    return [...distinct.values()].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  }
}

function ignoreNotFound(error: unknown): Order[] {
  if (error instanceof RemesaError && error.code === 'order_not_found') return [];
  throw error;
}

/** References of banks may be numbers too; they are tried first. */
function userIdOf(text: string): UserId | undefined {
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? userId(Number(text)) : undefined;
}

interface Filter {
  readonly merchantId: MerchantId | undefined;
  readonly states: readonly OrderState[] | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

function fits(order: Order, { merchantId, states, from, to }: Filter): boolean {
  return (
    (merchantId === undefined || order.merchantId === merchantId) &&
    (states === undefined || states.includes(order.state)) &&
    (from === undefined || order.createdAt >= from) &&
    (to === undefined || order.createdAt < to)
  );
}

async function withMerchants(database: Queryable, orders: readonly Order[]): Promise<ListedOrder[]> {
  const owners = orders.map(({ merchantId }) => merchantId);
  const clientIds = await clientIdsOf(database, owners);
  return orders.map((order) => ({ order, clientId: clientIds.get(order.merchantId) ?? '' }));
}
