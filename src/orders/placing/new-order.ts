/** What an order is made of: the request, what was agreed, and the checks of its parts that need nothing else. */
import type { BeneficiaryId, Details } from '../../beneficiaries/beneficiary.js';
import { maskedAccount } from '../../beneficiaries/masking.js';
import { readBeneficiary } from '../../beneficiaries/validation.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { Corridor } from '../../rates/corridors/corridor.js';
import type { Quote } from '../../rates/quote.js';
import type { Profile } from '../../users/user.js';
import type { AcceptedDisclosure, GivenAcceptance } from '../disclosure/acceptance.js';
import type { Originator } from '../order/copies/originator.js';
import { type Sender, sealBeneficiary, sealSender } from '../order/copies/sealed.js';
import type {
  CountedValue,
  Metadata,
  OrderId,
  Payee,
  PayinAccount,
  Purpose,
  Relationship,
  SourceOfFunds,
} from '../order/order.js';
import type { Deadlines, NewOrder } from '../order/store.js';
import { payinReferenceOf } from '../payin/payin-reference.js';

/** A stored beneficiary of the user, or one that is sent with the order. */
export type BeneficiaryChoice = { readonly beneficiaryId: string } | { readonly beneficiary: unknown };

export interface NewOrderRequest {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly rateCode: string;
  readonly choice: BeneficiaryChoice;
  readonly payoutMethod: string | undefined;
  readonly purpose: Purpose;
  readonly sourceOfFunds: SourceOfFunds | undefined;
  readonly relationship: Relationship | undefined;
  readonly refundAccount: { readonly country: string; readonly account: object } | undefined;
  readonly externalOrderId: string | undefined;
  readonly metadata: Metadata;
  readonly acceptedDisclosure: GivenAcceptance;
}

/** An unpaid order expires a day after its payment is due, because banks report late. */
const hoursForLateReports = 24;

export interface ChosenBeneficiary {
  readonly details: Details;
  readonly beneficiaryId: BeneficiaryId | undefined;
}

export interface Agreed {
  readonly quote: Quote;
  readonly chosen: ChosenBeneficiary;
  readonly counted: CountedValue | undefined;
  readonly retainedKey: Buffer;
  readonly sender: Sender;
  readonly payinAccount: PayinAccount;
  /** When the money would arrive if it were paid now; undefined while payouts are paused. */
  readonly estimatedArrivalAt: Date | undefined;
  readonly deadlines: Deadlines;
  /** What the sender was told before paying; undefined when the order came without its acceptance. */
  readonly accepted: AcceptedDisclosure | undefined;
}

export function deadlinesOf({ rateGuaranteeHours, paymentDueHours }: Corridor): Deadlines {
  const expires = paymentDueHours + hoursForLateReports;
  return { rateGuaranteed: rateGuaranteeHours, paymentDue: paymentDueHours, expires };
}

/** Throws `invalid_fields` when the caller asked for another method than the beneficiary has. */
export function requireMethod(asked: string | undefined, { method }: Details): void {
  if (asked === undefined || asked === method) return;
  const message = `must be ${method}, the method of the beneficiary`;
  throw new RemesaError('invalid', 'invalid_fields', `payoutMethod: ${message}`, {
    errors: [{ field: 'payoutMethod', code: 'not_allowed', message, allowed: [method] }],
  });
}

/** Throws `payout_unavailable` when the corridor pays out in another currency, or not in this way. */
export function requirePayable({ payoutMethods }: Corridor, { currency }: Amount, details: Details): void {
  if (details.currency === currency && payoutMethods.includes(details.method)) return;
  throw new RemesaError(
    'impossible',
    'payout_unavailable',
    `This corridor pays out ${currency} by ${payoutMethods.join(', ')}. The beneficiary receives ${details.currency} by ${details.method}.`,
    { members: { currency, payoutMethods: [...payoutMethods] } },
  );
}

/** Throws `payin_unavailable`. */
export function requireAccount(account: PayinAccount | undefined, { currency }: Amount): PayinAccount {
  if (account) return account;
  const message = `There is no account that ${currency} can be paid to.`;
  throw new RemesaError('impossible', 'payin_unavailable', message, { members: { currency } });
}

export function payeeOf(details: Details, beneficiaryId: BeneficiaryId | undefined, version: number): Payee {
  const { country, method } = details;
  return { beneficiaryId, version, country, method, account: maskedAccount(details) ?? undefined };
}

export function newOrder(orderId: OrderId, request: NewOrderRequest, agreed: Agreed): NewOrder {
  const { quote, chosen, counted, retainedKey, sender, payinAccount, estimatedArrivalAt } = agreed;
  const { details, beneficiaryId } = chosen;
  const payee = payeeOf(details, beneficiaryId, 1);
  const place = { merchantId: request.merchantId, userId: request.userId, orderId };
  return {
    ...request,
    ...termsOf(quote),
    orderId,
    payinReference: payinReferenceOf(orderId),
    payinAccount,
    estimatedArrivalAt,
    payee,
    counted,
    sealedBeneficiary: sealBeneficiary(retainedKey, place, payee.version, details),
    sealedSender: sealSender(retainedKey, place, sender),
  };
}

export function senderOf(profile: Profile, originator: Originator, refundAccount: Details | undefined): Sender {
  const { firstName, lastName, countryCode: country } = profile;
  return { name: `${firstName} ${lastName}`, country, originator, ...(refundAccount && { refundAccount }) };
}

function termsOf({ code, amountIn, amountOut, fee, rate, midRate, marginBasisPoints }: Quote) {
  return { quoteCode: code, amountIn, amountOut, fee, rate, midRate, marginBasisPoints };
}

/** The account must be in the sender's name, so name and address are the sender's own. Throws `invalid_fields`. */
export function readRefundAccount(
  { country, account }: { readonly country: string; readonly account: object },
  { firstName, lastName, city, countryCode }: Profile,
  { currency }: Amount,
): Details {
  const address = { town: city, country: countryCode };
  const owner = { type: 'person', firstName, lastName, address };
  return readBeneficiary({ country, currency, method: 'bank_account', ...owner, account }, 'refundAccount.');
}

export function externalIdConflict(externalOrderId: string): RemesaError {
  const message = `You already have an order with the external id ${externalOrderId}.`;
  return new RemesaError('conflict', 'external_id_conflict', message, { members: { externalOrderId } });
}
