/** Creates an order: takes the quote, checks what could stop it, and copies the beneficiary. One transaction. */
import type { BeneficiaryService } from '../../beneficiaries/service.js';
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
import { requireAcceptance } from '../disclosure/acceptance.js';
import type { DisclosureService } from '../disclosure/service.js';
import type { Admit } from '../limits/admission.js';
import type { Order, OrderId, PayinAccount } from '../order/order.js';
import type { PayinAccounts, PayoutPlan, Payouts } from '../order/ports.js';
import { addOrder, findOrderByExternalId } from '../order/store.js';
import type { OrderTransitions } from '../order/transition.js';
import type { AccountIndex } from '../rules/account-index.js';
import {
  type Agreed,
  type BeneficiaryChoice,
  type ChosenBeneficiary,
  deadlinesOf,
  externalIdConflict,
  type NewOrderRequest,
  newOrder,
  payeeOf,
  readRefundAccount,
  requireAccount,
  requireMethod,
  requirePayable,
  senderOf,
} from './new-order.js';
import type { Originators } from './originators.js';

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
  readonly disclosures: Pick<DisclosureService, 'accept' | 'keep'>;
  readonly originators: Originators;
  /** Throws `licensee_missing`. */
  readonly requireLicensee: () => Licensee;
}

export class OrderCreation {
  readonly #options: CreationOptions;

  constructor(options: CreationOptions) {
    this.#options = options;
  }

  /**
   * Locks the quote, then the user. Throws `licensee_missing`, `country_prohibited`, `ledger_fault`, `rate_not_found`,
   * `rate_already_used`, `rate_expired`, `user_not_found`, `corridor_unavailable`, `payin_unavailable`,
   * `beneficiary_not_found`, `invalid_fields`, `payout_unavailable`, `external_id_conflict`, `disclosure_not_accepted`,
   * `disclosure_changed`, `originator_incomplete`, and what the admission throws.
   */
  async create(tx: Transaction, by: By, request: NewOrderRequest): Promise<Order> {
    const orderId = newMerchantPublicId('ord', request.merchantId);
    const agreed = await this.#agree(tx, orderId, request);
    const order = await addOrder(tx, newOrder(orderId, request, agreed), agreed.deadlines).catch((error) => {
      throw isDuplicateIn('orders_external_id', error) ? externalIdConflict(request.externalOrderId ?? '') : error;
    });
    const { transitions, accounts, disclosures } = this.#options;
    const { chosen, accepted, retainedKey } = agreed;
    await Promise.all([
      transitions.record(tx, by, { order, changedAt: order.createdAt, event: 'create', before: undefined }),
      accounts.save(tx, order, chosen.details),
      accepted && disclosures.keep(tx, retainedKey, order, accepted),
    ]);
    return order;
  }

  /** Takes the quote and checks everything that could stop the order. */
  async #agree(tx: Transaction, orderId: OrderId, request: NewOrderRequest): Promise<Agreed> {
    const { users, ledger, admit, payinAccounts, disclosures, originators } = this.#options;
    const { merchantId, userId, rateCode, choice, payoutMethod, acceptedDisclosure } = request;
    const licensee = this.requireLicensee();
    const acceptance = requireAcceptance(licensee, acceptedDisclosure);
    // Sent together: the server still locks the quote before the user, and four round trips are saved.
    const [, quote, { profile, retainedKey }, openOriginator] = await Promise.all([
      ledger.requireSound(tx, merchantId),
      takeQuoteByText(tx, rateCode, { merchantId, userId, takenBy: orderId }),
      users.lockSender(tx, merchantId, userId),
      originators.read(tx, merchantId, userId),
    ]);
    const corridor = this.corridorOf(quote);
    const { amountIn } = quote;
    const payinAccount = requireAccount(await payinAccounts.choose(tx, merchantId, amountIn.currency), amountIn);
    const chosen = await this.chooseBeneficiary(tx, request, choice);
    requireMethod(payoutMethod, chosen.details);
    this.requireCountries(request, chosen, profile.countryCode);
    const now = quote.takenAt ?? quote.createdAt;
    const plan = this.planPayout(corridor, quote, chosen, now);
    const { countryCode: country, stateProvince: region } = profile;
    const disclosed = { merchantId, terms: quote, payee: chosen.details, residence: country, region, now };
    const estimatedArrivalAt = plan?.estimatedArrivalAt;
    const shown = { ...disclosed, arrivesAt: estimatedArrivalAt };
    const accepted = acceptance && (await disclosures.accept(tx, shown, acceptance));
    const refundAccount = request.refundAccount && readRefundAccount(request.refundAccount, profile, amountIn);
    const counted = await admit(tx, { merchantId, userId, country, amountIn, corridor });
    const originator = openOriginator(profile, retainedKey);
    originators.require(
      originator,
      { licensee, residence: country, payout: chosen.details.country },
      counted?.usdMinor,
    );
    return {
      quote,
      chosen,
      counted,
      retainedKey,
      sender: senderOf(profile, originator, refundAccount),
      payinAccount,
      estimatedArrivalAt,
      deadlines: deadlinesOf(corridor),
      accepted,
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
