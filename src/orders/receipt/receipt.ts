/** The receipt of an order: what was paid, what it cost, and what arrives. Pure. */
import type { Details } from '../../beneficiaries/beneficiary.js';
import { type Licensee, type Supervisor, viewOfLicensee } from '../../licensee/licensee.js';
import type { Branding } from '../../merchants/merchant.js';
import { amountToLiteral } from '../../money/literal.js';
import { rateToLiteral } from '../../money/rate.js';
import { exchangeRateOf, transferAmountOf } from '../../rates/exchange-rate.js';
import type { Profile } from '../../users/user.js';
import type { Order } from '../order/order.js';
import { isOnItsWay, viewOfOrder } from '../order/wire/order-view.js';
import type { Milestones } from '../timeline/timeline.js';
import { availableOn } from './availability.js';

export interface Receipt extends Omit<Milestones, 'paidAt'> {
  readonly order: Order;
  readonly paidAt: Date;
  readonly merchant: { readonly name: string; readonly branding: Branding };
  /** Who moves the money by law. Undefined until the operator has entered it. */
  readonly licensee: Licensee | undefined;
  /** The authority of the sender's country or state. */
  readonly supervisor: Supervisor | undefined;
  /** Undefined after the user was deleted. */
  readonly senderName: string | undefined;
  /** Undefined after the user was deleted. */
  readonly beneficiaryName: string | undefined;
}

export function nameOfSender({ firstName, lastName }: Profile): string {
  return `${firstName} ${lastName}`;
}

export function nameOfBeneficiary({ firstName = '', lastName = '', companyName }: Details): string {
  return companyName ?? `${firstName} ${lastName}`.trim();
}

/** The signed part. It contains nothing personal, and stays the same until the order changes. */
export function signedPart({ order, paidAt, completedAt, refundedAt, merchant }: Receipt) {
  const view = viewOfOrder(order);
  return {
    orderId: view.id,
    merchant: merchant.name,
    status: view.status,
    fiatIn: view.fiatIn,
    fiatOut: view.fiatOut,
    amountIn: view.amountIn,
    fee: view.fee,
    transferAmount: Number(amountToLiteral(transferAmountOf(order))),
    exchangeRate: Number(rateToLiteral(exchangeRateOf(order))),
    rate: view.rate,
    amountOut: view.amountOut,
    amountReceived: view.amountReceived,
    amountRefunded: view.amountRefunded,
    amountKept: view.amountKept,
    amountReversed: view.amountReversed,
    reference: order.payinReference,
    createdAt: view.createdAt,
    paidAt: paidAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    refundedAt: refundedAt?.toISOString() ?? null,
    updatedAt: view.updatedAt,
    version: view.version,
  };
}

/** As `2026-11-16`, a day on which banks of the country of the payout work: 12 CFR 1005.31(b)(2)(ii). */
export function availabilityOf(order: Order): string | undefined {
  const { estimatedArrivalAt, payee } = order;
  return estimatedArrivalAt && isOnItsWay(order) ? availableOn(estimatedArrivalAt, payee.country) : undefined;
}

/** Everything but the proof. */
export function viewOfReceipt(receipt: Receipt) {
  const { order, merchant, licensee, supervisor, senderName, beneficiaryName } = receipt;
  const view = viewOfOrder(order);
  const { supportEmail, supportUrl } = merchant.branding;
  return {
    ...signedPart(receipt),
    externalOrderId: view.externalOrderId,
    sender: senderName === undefined ? null : { name: senderName },
    beneficiary: {
      name: beneficiaryName ?? null,
      country: view.payoutCountry,
      method: view.payoutMethod,
      account: view.payoutAccount,
    },
    estimatedArrivalAt: view.estimatedArrivalAt,
    availableOn: availabilityOf(order) ?? null,
    cancellable: view.cancellable,
    cancellableUntil: view.cancellableUntil,
    licensee: licensee ? viewOfLicensee(licensee, supervisor) : null,
    contact: { name: merchant.name, email: supportEmail ?? null, url: supportUrl ?? null },
  };
}
