/** Creates an order: takes the quote, checks what could stop it, and copies the beneficiary. One transaction. */
import type { BeneficiaryId, Details } from '../../beneficiaries/beneficiary.js';
import { maskedAccount } from '../../beneficiaries/masking.js';
import type { BeneficiaryService } from '../../beneficiaries/service.js';
import { readBeneficiary } from '../../beneficiaries/validation.js';
import type { By } from '../../caller.js';
import type { CountryPolicies } from '../../countries/service.js';
import { RemesaError } from '../../errors.js';
import { type MerchantId, newMerchantPublicId, publicId, type UserId } from '../../ids.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Licensee } from '../../licensee/licensee.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { isDuplicateIn } from '../../postgres/failure.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Corridor } from '../../rates/corridors/corridor.js';
import type { Quote } from '../../rates/quote.js';
import { corridorUnavailable, takeQuoteByText } from '../../rates/service.js';
import type { UserService } from '../../users/service.js';
import type { Profile } from '../../users/user.js';
import type { Admit } from '../limits/admission.js';
import { type Sender, sealBeneficiary, sealSender } from '../order/copies/sealed.js';
import type {
  CountedValue,
  Metadata,
  Order,
  OrderId,
  Payee,
  PayinAccount,
  Purpose,
  Relationship,
  SourceOfFunds,
} from '../order/order.js';
import type { PayinAccounts, PayoutPlan, Payouts } from '../order/ports.js';
import { addOrder, type Deadlines, findOrderByExternalId, type NewOrder } from '../order/store.js';
import type { OrderTransitions } from '../order/transition.js';
import { payinReferenceOf } from '../payin/payin-reference.js';
import type { AccountIndex } from '../rules/account-index.js';

export interface CreationOptions {
  readonly users: UserService;
  readonly beneficiaries: BeneficiaryService;
  readonly ledger: LedgerService;
  readonly transitions: OrderTransitions;
  readonly openCorridor: (fiatIn: CurrencyCode, fiatOut: CurrencyCode) => Corridor | undefined;
  readonly admit: Admit;
  /** The room that pays out is built after this one. */
  readonly payouts: () => Pick<Payouts, 'plan' | 'areOrdersStopped'>;
  readonly payinAccounts: PayinAccounts;
  readonly accounts: AccountIndex;
  readonly countries: Pick<CountryPolicies, 'requireOrder'>;
  /** Throws `licensee_missing`. */
  readonly requireLicensee: () => Licensee;
}

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
}

/** An unpaid order expires a day after its payment is due, because banks report late. */
const hoursForLateReports = 24;

export interface ChosenBeneficiary {
  readonly details: Details;
  readonly beneficiaryId: BeneficiaryId | undefined;
}

interface Agreed {
  readonly quote: Quote;
  readonly chosen: ChosenBeneficiary;
  readonly counted: CountedValue | undefined;
  readonly retainedKey: Buffer;
  readonly sender: Sender;
  readonly payinAccount: PayinAccount;
  readonly deadlines: Deadlines;
}

export class OrderCreation {
  readonly #options: CreationOptions;

  constructor(options: CreationOptions) {
    this.#options = options;
  }

  /**
   * Locks the quote, then the user. Throws `licensee_missing`, `country_prohibited`, `ledger_fault`, `rate_not_found`,
   * `rate_already_used`, `rate_expired`, `user_not_found`, `corridor_unavailable`, `payin_unavailable`,
   * `beneficiary_not_found`, `invalid_fields`, `payout_unavailable`, `external_id_conflict`, and what the admission
   * throws.
   */
  async create(tx: Transaction, by: By, request: NewOrderRequest): Promise<Order> {
    const orderId = newMerchantPublicId('ord', request.merchantId);
    const agreed = await this.#agree(tx, orderId, request);
    const order = await addOrder(tx, newOrder(orderId, request, agreed), agreed.deadlines).catch((error) => {
      throw isDuplicateIn('orders_external_id', error) ? externalIdConflict(request.externalOrderId ?? '') : error;
    });
    const { transitions, accounts } = this.#options;
    await Promise.all([
      transitions.record(tx, by, { order, changedAt: order.createdAt, event: 'create', before: undefined }),
      accounts.save(tx, order, agreed.chosen.details),
    ]);
    return order;
  }

  /** Takes the quote and checks everything that could stop the order. */
  async #agree(tx: Transaction, orderId: OrderId, request: NewOrderRequest): Promise<Agreed> {
    const { users, ledger, admit, payinAccounts } = this.#options;
    const { merchantId, userId, rateCode, choice, payoutMethod } = request;
    this.requireLicensee();
    // Sent together: the server still locks the quote before the user, and three round trips are saved.
    const [, quote, { profile, retainedKey }] = await Promise.all([
      ledger.requireSound(tx, merchantId),
      takeQuoteByText(tx, rateCode, { merchantId, userId, takenBy: orderId }),
      users.lockSender(tx, merchantId, userId),
    ]);
    const corridor = this.corridorOf(quote);
    const { amountIn } = quote;
    const payinAccount = requireAccount(await payinAccounts.choose(tx, merchantId, amountIn.currency), amountIn);
    const chosen = await this.chooseBeneficiary(tx, request, choice);
    requireMethod(payoutMethod, chosen.details);
    this.requireCountries(request, chosen, profile.countryCode);
    this.planPayout(corridor, quote, chosen, quote.takenAt ?? quote.createdAt);
    const { countryCode: country } = profile;
    const refundAccount = request.refundAccount && readRefundAccount(request.refundAccount, profile, amountIn);
    const counted = await admit(tx, { merchantId, userId, country, amountIn, corridor });
    return {
      quote,
      chosen,
      counted,
      retainedKey,
      sender: { name: `${profile.firstName} ${profile.lastName}`, country, ...(refundAccount && { refundAccount }) },
      payinAccount,
      deadlines: deadlinesOf(corridor),
    };
  }

  /** Throws `country_prohibited`, and `invalid_fields` when an order to that country must state more. */
  requireCountries(
    { sourceOfFunds, relationship }: Pick<NewOrderRequest, 'sourceOfFunds' | 'relationship'>,
    { details }: ChosenBeneficiary,
    residence: string,
  ): void {
    const { countries } = this.#options;
    countries.requireOrder({ residence, payout: details.country }, { sourceOfFunds, relationship });
  }

  get requireLicensee(): () => Licensee {
    return this.#options.requireLicensee;
  }

  /** Throws `corridor_unavailable` when the corridor was closed since the quote. */
  corridorOf({ amountIn, amountOut }: { amountIn: Amount; amountOut: Amount }): Corridor {
    const corridor = this.#options.openCorridor(amountIn.currency, amountOut.currency);
    if (!corridor) throw corridorUnavailable(amountIn.currency, amountOut.currency);
    return corridor;
  }

  /**
   * How the order would be paid out at that time; undefined while payouts are paused, because the order then waits.
   * Throws `payout_unavailable` when the corridor does not pay such a beneficiary, or no rail does, and
   * `corridor_unavailable` while operators have stopped new orders.
   */
  planPayout(
    corridor: Corridor,
    { merchantId, amountIn, amountOut }: Pick<Quote, 'merchantId' | 'amountIn' | 'amountOut'>,
    { details, beneficiaryId }: ChosenBeneficiary,
    now: Date,
  ): PayoutPlan | undefined {
    requirePayable(corridor, amountOut, details);
    const payee = payeeOf(details, beneficiaryId, 1);
    const request = { merchantId, fiatIn: amountIn.currency, amountOut, payee };
    const payouts = this.#options.payouts();
    if (payouts.areOrdersStopped?.(request)) throw corridorUnavailable(amountIn.currency, amountOut.currency);
    const plan = payouts.plan(request, now);
    if (!('obstacle' in plan)) return plan;
    if (plan.obstacle !== 'no_rail') return undefined;
    const { currency } = amountOut;
    const message = `No rail pays out ${currency} by ${details.method}.`;
    const members = { currency, payoutMethods: [] };
    throw new RemesaError('impossible', 'payout_unavailable', message, { members });
  }

  /** Where the sender would pay. Throws `payin_unavailable` when no account takes the currency. */
  async payinAccountFor(database: Queryable, merchantId: MerchantId, paid: Amount): Promise<PayinAccount> {
    return requireAccount(await this.#options.payinAccounts.find(database, merchantId, paid.currency), paid);
  }

  /** Throws `external_id_conflict`. Adding the order decides; this only tells earlier. */
  async requireFreeExternalId(
    database: Queryable,
    { merchantId, externalOrderId }: Pick<NewOrderRequest, 'merchantId' | 'externalOrderId'>,
  ): Promise<void> {
    if (externalOrderId === undefined) return;
    const isTaken = (await findOrderByExternalId(database, merchantId, externalOrderId)) !== undefined;
    if (isTaken) throw externalIdConflict(externalOrderId);
  }

  /** Throws `beneficiary_not_found`, or `invalid_fields` with names such as `beneficiary.firstName`. */
  async chooseBeneficiary(
    database: Queryable,
    { merchantId, userId }: { readonly merchantId: MerchantId; readonly userId: UserId },
    choice: BeneficiaryChoice,
  ): Promise<ChosenBeneficiary> {
    const { beneficiaries } = this.#options;
    if ('beneficiary' in choice) {
      return { details: beneficiaries.inlineBeneficiary(choice.beneficiary), beneficiaryId: undefined };
    }
    const details = await beneficiaries.beneficiaryForOrder(database, merchantId, userId, choice.beneficiaryId);
    return { details, beneficiaryId: publicId('ben', choice.beneficiaryId) };
  }
}

function deadlinesOf({ rateGuaranteeHours, paymentDueHours }: Corridor): Deadlines {
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
function requireAccount(account: PayinAccount | undefined, { currency }: Amount): PayinAccount {
  if (account) return account;
  const message = `There is no account that ${currency} can be paid to.`;
  throw new RemesaError('impossible', 'payin_unavailable', message, { members: { currency } });
}

export function payeeOf(details: Details, beneficiaryId: BeneficiaryId | undefined, version: number): Payee {
  const { country, method } = details;
  return { beneficiaryId, version, country, method, account: maskedAccount(details) ?? undefined };
}

function newOrder(orderId: OrderId, request: NewOrderRequest, agreed: Agreed): NewOrder {
  const { quote, chosen, counted, retainedKey, sender, payinAccount } = agreed;
  const { details, beneficiaryId } = chosen;
  const payee = payeeOf(details, beneficiaryId, 1);
  const place = { merchantId: request.merchantId, userId: request.userId, orderId };
  return {
    ...request,
    ...termsOf(quote),
    orderId,
    payinReference: payinReferenceOf(orderId),
    payinAccount,
    payee,
    counted,
    sealedBeneficiary: sealBeneficiary(retainedKey, place, payee.version, details),
    sealedSender: sealSender(retainedKey, place, sender),
  };
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

function externalIdConflict(externalOrderId: string): RemesaError {
  const message = `You already have an order with the external id ${externalOrderId}.`;
  return new RemesaError('conflict', 'external_id_conflict', message, { members: { externalOrderId } });
}
