/** Where the money of a payment is now: how much of it each order has, and the record of what came into suspense. */
import { merchantOfPublicId, publicId, type TenantId, tenantOfPublicId } from '../../ids.js';
import { type Amount, add, amount, isZero, subtract } from '../../money/amount.js';
import type { OrderId } from '../../orders/order/order.js';
import type { Queryable } from '../../postgres/statement.js';
import { listAppliedPayments } from '../applications/application-store.js';
import type { Payment } from '../payment.js';
import { findPayment } from '../store.js';
import { listSteps, type SuspenseStep } from '../suspense/history.js';
import type { SuspenseRecord } from '../suspense/suspense.js';
import { findSuspenseOfPayment } from '../suspense/suspense-store.js';

/** What an order took of a payment: at once, or from suspense. */
export interface Share {
  readonly orderId: OrderId;
  readonly amount: Amount;
}

export interface PaymentLocation {
  readonly payment: Payment;
  /** Whose books have the money. */
  readonly tenant: TenantId;
  readonly shares: readonly Share[];
  /** Undefined when nothing of it came into suspense there. */
  readonly record: SuspenseRecord | undefined;
}

/** Undefined when there is no such payment. */
export async function locatePayment(database: Queryable, id: string): Promise<PaymentLocation | undefined> {
  const paymentId = publicId('pay', id);
  const payment = paymentId && (await findPayment(database, tenantOfPublicId(paymentId), paymentId));
  if (!payment) return undefined;
  const { tenant, record } = await findRecord(database, payment);
  const steps = record ? await listSteps(database, record) : [];
  const direct = await directShare(database, payment, record);
  return { payment, tenant, record, shares: payment.voidedAt ? [] : sharesOf(direct, steps) };
}

/** The merchant of the order has what arrived on a shared account, also once it was handed over from suspense. */
async function findRecord(database: Queryable, payment: Payment) {
  const { ownerId, paymentId, order } = payment;
  const tenant: TenantId = payment.outcome === 'handed_over' && order !== undefined ? order.merchantId : ownerId;
  const record = await findSuspenseOfPayment(database, tenant, paymentId);
  if (record?.state !== 'HANDED_OVER') return { tenant, record };
  const handedTo = (await listSteps(database, record)).at(-1)?.orderId;
  const merchantId = handedTo && merchantOfPublicId(handedTo);
  if (!merchantId) throw new Error(`the record ${record.suspenseId} was handed over to nobody`);
  return { tenant: merchantId, record: await findSuspenseOfPayment(database, merchantId, paymentId) };
}

/** What the order that the payment names took at once; the rest came into suspense. */
async function directShare(
  database: Queryable,
  { paymentId, order, amount: paid, outcome }: Payment,
  record: SuspenseRecord | undefined,
): Promise<Share | undefined> {
  if (outcome === 'suspense' || !order) return undefined;
  const taken = record ? subtract(paid, record.amount) : paid;
  if (isZero(taken)) return undefined;
  const applied = await listAppliedPayments(database, order);
  if (!applied.some((own) => own.paymentId === paymentId)) return undefined;
  return { orderId: order.orderId, amount: taken };
}

function sharesOf(direct: Share | undefined, steps: readonly SuspenseStep[]): Share[] {
  const shares = new Map<OrderId, Amount>(direct ? [[direct.orderId, direct.amount]] : []);
  for (const { event, orderId, amount: moved } of steps) {
    if (orderId === undefined || (event !== 'match' && event !== 'match_part')) continue;
    const before = shares.get(orderId) ?? amount(moved.currency, 0n);
    shares.set(orderId, add(before, moved));
  }
  return [...shares].map(([orderId, share]) => ({ orderId, amount: share }));
}
