/** Orders as operators see them on the wire. */
import type { Static } from 'typebox';
import { rateToLiteral } from '../money/rate.js';
import { numberOf } from '../orders/order/order.js';
import { viewOfOrder } from '../orders/order/wire/order-view.js';
import { viewOfJournal } from '../orders/timeline/routes.js';
import { isPublic } from '../orders/timeline/timeline.js';
import type { DeskOrderShape, OrderFileShape } from './schemas.js';
import type { ListedOrder, OrderFile } from './service.js';

export function encodeListed({ order, clientId }: ListedOrder): Static<typeof DeskOrderShape> {
  const { orderId, userId, state, version, amountIn, amountOut } = order;
  return {
    id: orderId,
    merchant: clientId,
    userId,
    state,
    version,
    externalOrderId: order.externalOrderId ?? null,
    payInReference: order.payinReference,
    waitsFor: order.waitsFor ?? null,
    fiatIn: amountIn.currency,
    fiatOut: amountOut.currency,
    amountIn: numberOf(amountIn),
    amountOut: numberOf(amountOut),
    rate: Number(rateToLiteral(order.rate)),
    fee: numberOf(order.fee),
    amountReceived: numberOf(order.amountReceived),
    amountRefunded: numberOf(order.amountRefunded),
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
  };
}

export function encodeFile(file: OrderFile): Static<typeof OrderFileShape> {
  return {
    ...encodeListed(file),
    order: viewOfOrder(file.order),
    timeline: file.timeline.map((entry) => ({
      event: entry.event,
      from: entry.from,
      to: entry.to,
      statusReason: entry.statusReason ?? null,
      by: entry.actorKind,
      at: entry.occurredAt.toISOString(),
      isPublic: isPublic(entry),
      journals: entry.journals.map(viewOfJournal),
    })),
    ...movementsOf(file),
    reviews: file.reviews.map(({ reasons, openedAt, decision, decidedAt }) => ({
      reasons: [...reasons],
      openedAt: openedAt.toISOString(),
      decision: decision ?? null,
      decidedAt: decidedAt?.toISOString() ?? null,
    })),
    events: file.events.map(({ eventId, type, occurredAt, delivery, deliveredAt }) => ({
      id: eventId,
      type,
      at: occurredAt.toISOString(),
      delivery: delivery ?? null,
      deliveredAt: deliveredAt?.toISOString() ?? null,
    })),
  };
}

function movementsOf({ payments, suspense, attempts }: OrderFile) {
  return {
    payments: payments.map(({ paymentId, accountId, bankReference, amount, outcome, bookedAt }) => ({
      id: paymentId,
      accountId,
      bankReference,
      outcome,
      amount: numberOf(amount),
      currency: amount.currency,
      bookedAt: bookedAt.toISOString(),
    })),
    suspense: suspense.map(({ suspenseId, paymentId, reason, state, amount, remaining, version, openedAt }) => ({
      id: suspenseId,
      paymentId,
      reason,
      state,
      version,
      amount: numberOf(amount),
      remaining: numberOf(remaining),
      currency: amount.currency,
      openedAt: openedAt.toISOString(),
    })),
    attempts: attempts.map(({ attemptId, direction, reference, rail, state, amount, ...times }) => ({
      id: attemptId,
      direction,
      reference,
      rail,
      state,
      amount: numberOf(amount),
      currency: amount.currency,
      createdAt: times.createdAt.toISOString(),
      changedAt: times.changedAt.toISOString(),
    })),
  };
}
