/** The order as merchants and users see it. Pure. */
import { amount } from '../../../money/amount.js';
import type { CurrencyCode } from '../../../money/currency.js';
import { rateToLiteral } from '../../../money/rate.js';
import { numberOf, type Order, type PayinAccount, type Requote, type RequotedTerms } from '../order.js';
import { missingOf } from '../payable.js';
import { pendingReasonOf } from '../pending.js';
import { viewOfRefund } from '../refund.js';
import { requirementOf } from '../requirement.js';
import { cancellableIn, type PublicState, publicState } from '../transitions.js';

/** The order as its GET and its events show it. It contains nothing personal. */
export function viewOfOrder(order: Order) {
  const { payee, amountIn, amountOut } = order;
  return {
    id: order.orderId,
    externalOrderId: order.externalOrderId ?? null,
    userId: order.userId as number,
    status: publicState(order.state),
    statusReason: order.statusReason ?? null,
    pendingReason: pendingReasonOf(order) ?? null,
    requirements: requirementsOf(order),
    cancellable: order.cancellationRequestedAt ? ('no' as const) : cancellableIn(order.state),
    rateCode: order.quoteCode as string,
    fiatIn: amountIn.currency as string,
    fiatOut: amountOut.currency as string,
    amountIn: numberOf(amountIn),
    amountOut: numberOf(amountOut),
    rate: Number(rateToLiteral(order.rate)),
    fee: numberOf(order.fee),
    amountReceived: numberOf(order.amountReceived),
    amountMissing: numberOf(missingOf(order)),
    amountRefunded: numberOf(order.amountRefunded),
    amountKept: numberOf(order.amountKept),
    amountReversed: numberOf(order.amountReversed),
    refunds: order.refunds.map(viewOfRefund),
    requotes: order.requotes.map((requote) => viewOfRequote(order, requote)),
    beneficiaryId: (payee.beneficiaryId as string | undefined) ?? null,
    payoutCountry: payee.country,
    payoutMethod: payee.method,
    payoutAccount: payee.account ?? null,
    purpose: order.purpose,
    sourceOfFunds: order.sourceOfFunds ?? null,
    relationship: order.relationship ?? null,
    metadata: { ...order.metadata },
    payIn: { reference: order.payinReference, account: viewOfAccount(order.payinAccount) },
    ...timesOf(order),
    version: order.publicVersion,
  };
}

/** What was asked for is kept while a review interrupts the request, and shown again after it. */
function isAsked({ state }: Order): boolean {
  return state === 'ACTION_REQUIRED';
}

function requirementsOf(order: Order) {
  return isAsked(order) ? order.requirements.map(requirementOf) : [];
}

function viewOfAccount({ accountId, holder, bankName, country, details, isSimulated }: PayinAccount) {
  return { accountId, holder, bankName, country, details: { ...details }, isSimulated };
}

function viewOfRequote({ amountIn, amountOut }: Order, { requotedAt, needsAcceptance, before, after }: Requote) {
  const number = (currency: CurrencyCode, minor: number) => numberOf(amount(currency, BigInt(minor)));
  const view = (terms: RequotedTerms) => ({
    rateCode: terms.rateCode,
    amountIn: number(amountIn.currency, terms.amountInMinor),
    amountOut: number(amountOut.currency, terms.amountOutMinor),
    rate: Number(terms.rate),
    fee: number(amountIn.currency, terms.feeMinor),
  });
  return { requotedAt, needsAcceptance, before: view(before), after: view(after) };
}

function timesOf(order: Order) {
  return {
    rateGuaranteedUntil: order.rateGuaranteedUntil.toISOString(),
    paymentDueAt: order.paymentDueAt.toISOString(),
    cancellableUntil: textOf(order.cancellableUntil),
    actionRequiredBy: textOf(isAsked(order) ? order.actionRequiredBy : undefined),
    refundDueBy: textOf(order.refundDueBy),
    estimatedArrivalAt: textOf(isOnItsWay(order) ? order.estimatedArrivalAt : undefined),
    cancellationRequestedAt: textOf(order.cancellationRequestedAt),
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
  };
}

/** A freeze looks like the review that it seems to be. */
export function isOnItsWay({ state }: Order): boolean {
  return !endedStates.has(publicState(state));
}

const endedStates: ReadonlySet<PublicState> = new Set([
  'REJECTED',
  'REFUND_PENDING',
  'REFUND_FAILED',
  'REFUNDED',
  'CANCELLED',
  'EXPIRED',
]);

function textOf(time: Date | undefined): string | null {
  return time?.toISOString() ?? null;
}
