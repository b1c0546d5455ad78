/** The steps that stories are made of. Each calls the services that the routes call. */
import { publicId, userId } from '../../ids.js';
import type { KycLevel } from '../../kyc-level.js';
import { currencyCode } from '../../money/currency.js';
import { simulatedOperator } from '../../operators/simulated.js';
import { findOrderOf } from '../../orders/order/finding.js';
import type { Order } from '../../orders/order/order.js';
import type { RequirementCode } from '../../orders/order/requirement.js';
import { type PublicState, publicState } from '../../orders/order/transitions.js';
import type { SimulatedPayment } from '../../payments/simulation-service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { createQuote } from '../../rates/service.js';
import type { Profile } from '../../users/user.js';
import { lockServing } from '../../webhooks/registration.js';
import { injectFault, listEventsOfSubject, redeliver, type SubjectEvent } from '../../webhooks/service.js';
import type { SimulatedEvent } from '../order-events/service.js';
import type { Facts, Step, StepContext } from './scenario.js';

export interface Transfer {
  readonly fiatIn: string;
  readonly fiatOut: string;
  readonly amountIn: string;
  readonly beneficiary: () => object;
}

export function newSender(profile: Profile): Step {
  return {
    title: 'A user is registered',
    async play(tx, { services, by, merchantId }) {
      const user = await services.users.create(tx, by, merchantId, profile);
      return { userId: user.id, externalClientId: user.externalClientId };
    },
  };
}

export function verified(level: KycLevel = 'LEVEL_1'): Step {
  return {
    title: `The identity of the user is approved for ${level}`,
    async play(tx, { services, by, merchantId, facts }) {
      await services.kyc.simulateApproval(tx, by, { merchantId, user: userOf(facts), level });
      const [kycCase] = await services.kyc.listCases(tx, merchantId, userOf(facts).id);
      return kycCase ? { caseId: kycCase.caseId } : {};
    },
  };
}

export function rejected(level: KycLevel): Step {
  return {
    title: 'The user fills in the form, and a reviewer rejects it: the photo is blurry',
    async play(tx, { services, by, merchantId, facts }) {
      const request = { merchantId, user: userOf(facts), level };
      const { caseId } = await services.kyc.simulateSubmission(tx, by, request);
      const decision = { decision: 'reject', isFinal: false, reasons: ['blurry'] } as const;
      await services.kycReviews.decide(tx, by, { merchantId, caseId }, { ...decision, internalReason: undefined });
      return { caseId };
    },
  };
}

export function ordered({ fiatIn, fiatOut, amountIn, beneficiary }: Transfer): Step {
  return {
    title: `An order of ${amountIn} ${fiatIn} is placed`,
    async play(tx, { services, by, merchantId, facts }) {
      const owner = { merchantId, userId: userOf(facts).id };
      const { beneficiaryId } = await services.beneficiaries.save(tx, by, owner, beneficiary());
      const [from, to] = [currencyCode(fiatIn), currencyCode(fiatOut)];
      if (!from || !to) throw new Error('a scenario names an unknown currency');
      const { code } = await createQuote(tx, services.board, { ...owner, fiatIn: from, fiatOut: to, amountIn });
      const { orderId } = await services.creation.create(tx, by, {
        ...owner,
        rateCode: code,
        choice: { beneficiaryId },
        purpose: 'family_support',
        payoutMethod: undefined,
        sourceOfFunds: undefined,
        relationship: undefined,
        refundAccount: undefined,
        externalOrderId: undefined,
        metadata: {},
        acceptedDisclosure: 'simulated',
      });
      return { orderId };
    },
  };
}

type PaymentFields = Partial<Omit<SimulatedPayment, 'orderId' | 'bookedAt'>>;

/** Exactly what the order needs, unless the fields say otherwise. */
export function paid(title: string, fields: PaymentFields = {}): Step {
  return {
    title,
    async play(tx, { services, by, merchantId, facts }) {
      const { reference, amount, currency, payerName } = fields;
      const orderId = reference === undefined ? orderIdOf(facts) : undefined;
      const payment = { orderId, reference, amount, currency, payerName, bookedAt: undefined };
      const { payment: recorded } = await services.payments.pay(tx, by, merchantId, payment);
      return { paymentId: recorded.paymentId };
    },
  };
}

/** An hour after the rate was guaranteed. */
export function paidLate(): Step {
  return {
    title: 'The money arrives after the guarantee of the rate has ended',
    async play(tx, context) {
      const { rateGuaranteedUntil } = await orderOf(tx, context);
      const bookedAt = new Date(rateGuaranteedUntil.getTime() + 3_600_000).toISOString();
      const exact = { reference: undefined, amount: undefined, currency: undefined, payerName: undefined };
      const payment = { ...exact, orderId: orderIdOf(context.facts), bookedAt };
      await context.services.payments.pay(tx, context.by, context.merchantId, payment);
      return {};
    },
  };
}

/** An operator finds out which order the money is for. */
export function matched(): Step {
  return {
    title: 'An operator matches the money to the order',
    async play(tx, { services, merchantId, facts }) {
      const paymentId = publicId('pay', facts.paymentId ?? '');
      const record = paymentId && (await services.suspense.ofPayment(tx, merchantId, paymentId));
      if (!record) return 'not_yet';
      const { suspenseId, version } = record;
      const decided = { orderId: orderIdOf(facts), version, note: 'Matched by a scenario of the sandbox.' };
      await services.suspense.match(tx, { actor: simulatedOperator }, suspenseId, decided);
      return {};
    },
  };
}

export function paidWithoutReference({ amount, currency, payerName }: PaymentFields): Step {
  const reference = 'For the family, with love';
  return paid('Money arrives without the reference', { amount, currency, payerName, reference });
}

export function reaches(status: PublicState): Step {
  return {
    title: `The order becomes ${status}`,
    async play(tx, context) {
      return publicState((await orderOf(tx, context)).state) === status ? {} : 'not_yet';
    },
  };
}

/** The cash waits for its recipient. */
export function isReadyForPickup(): Step {
  return {
    title: 'The cash is ready, with a pick-up code',
    async play(tx, context) {
      const order = await orderOf(tx, context);
      return (await context.services.pickupCode(tx, order)) === undefined ? 'not_yet' : {};
    },
  };
}

export function happens(title: string, event: SimulatedEvent): Step {
  const requestOf = ({ merchantId, facts }: StepContext) => ({ merchantId, orderId: orderIdOf(facts), event });
  return {
    title,
    prepare: (database, context) => context.services.events.prepare(database, requestOf(context)),
    async play(tx, context, prepared) {
      await context.services.events.simulate(tx, context.by, { ...requestOf(context), prepared });
      return {};
    },
  };
}

export function cancelled(): Step {
  return {
    title: 'The sender cancels',
    async play(tx, { services, by, merchantId, facts }) {
      await services.orders.cancel(tx, by, { merchantId, userId: undefined }, orderIdOf(facts));
      return {};
    },
  };
}

export function answered(code: RequirementCode, answer: string): Step {
  return {
    title: 'The sender answers',
    async play(tx, { services, by, merchantId, facts }) {
      const asked = { scope: { merchantId, userId: undefined }, id: orderIdOf(facts) };
      await services.information.provide(tx, by, asked, [{ code, answer }]);
      return {};
    },
  };
}

export function corrected(beneficiary: () => object): Step {
  return {
    title: 'The sender corrects the beneficiary',
    async play(tx, { services, by, merchantId, facts }) {
      const scope = { merchantId, userId: undefined };
      const choice = { beneficiary: beneficiary() };
      await services.orders.changeBeneficiary(tx, by, { scope, id: orderIdOf(facts), choice });
      return {};
    },
  };
}

/**
 * The next notifications about orders do not arrive, as if the receiver were down. Throws `webhook_not_registered` when
 * there is none.
 */
export function receiverDies(events: number): Step {
  return {
    title: `The next ${events} notifications about orders are lost`,
    async play(tx, { merchantId }) {
      await lockServing(tx, { merchantId, channel: 'order' });
      const fault = { fault: 'drop', count: events, delaySeconds: 0 } as const;
      await injectFault(tx, { merchantId, channel: 'order' }, fault);
      return {};
    },
  };
}

export function receiverHeals(events: number): Step {
  return {
    title: 'The lost notifications are sent again',
    async play(tx, { by, merchantId, facts }) {
      const recorded = await listEventsOfSubject(tx, merchantId, `order:${orderIdOf(facts)}`, 100);
      const isOnItsWay = ({ delivery }: SubjectEvent) => delivery === undefined || delivery === 'pending';
      if (recorded.length < events || recorded.some(isOnItsWay)) return 'not_yet';
      const lost = recorded.filter(({ delivery }) => delivery !== 'delivered');
      for (const { eventId } of lost) await redeliver(tx, by, merchantId, eventId);
      return {};
    },
  };
}

function orderOf(database: Queryable | Transaction, { merchantId, facts }: StepContext): Promise<Order> {
  return findOrderOf(database, { merchantId, userId: undefined }, orderIdOf(facts));
}

function orderIdOf({ orderId }: Facts): string {
  if (orderId === undefined) throw new Error('the story has no order yet');
  return orderId;
}

function userOf(facts: Facts) {
  if (facts.userId === undefined || facts.externalClientId === undefined) throw new Error('the story has no user yet');
  return { id: userId(facts.userId), externalClientId: facts.externalClientId };
}
