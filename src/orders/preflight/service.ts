/**
 * Says what would stop an order, all at once, with the checks that creating it runs. It reads only, and screens nobody:
 * otherwise it would tell who is on a list.
 */
import type { OriginatorDemand } from '../../countries/originator.js';
import { type FieldFault, RemesaError, userNotFound } from '../../errors.js';
import type { LedgerService } from '../../ledger/service.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Quote } from '../../rates/quote.js';
import { findQuoteByText, quoteRefusal } from '../../rates/service.js';
import type { UserService } from '../../users/service.js';
import type { Profile } from '../../users/user.js';
import { requireAcceptance, requireSameText } from '../disclosure/acceptance.js';
import type { Disclosure } from '../disclosure/disclosure.js';
import type { DisclosureService } from '../disclosure/service.js';
import type { LimitService } from '../limits/service.js';
import type { UserLimits } from '../limits/user-limits.js';
import { type CountedValue, cancellationRightMinutes } from '../order/order.js';
import type { OrderCreation } from '../placing/creation.js';
import { type NewOrderRequest, readRefundAccount, requireMethod } from '../placing/new-order.js';
import type { OriginatorPlace, Originators } from '../placing/originators.js';

export interface PreflightOptions {
  readonly users: UserService;
  readonly ledger: LedgerService;
  readonly creation: OrderCreation;
  readonly limits: LimitService;
  readonly disclosures: DisclosureService;
  readonly originators: Originators;
}

export interface Preflight {
  /** Empty when the order would be accepted now. */
  readonly refusals: readonly RemesaError[];
  /** Undefined when there is no such quote. */
  readonly quote: Quote | undefined;
  readonly counted: CountedValue | undefined;
  readonly limits: UserLimits;
  /** Undefined while it is not known how the order would be paid out. */
  readonly estimatedArrivalAt: Date | undefined;
  /** How long the sender may cancel after paying; undefined without such a right. */
  readonly cancellationRightMinutes: number | undefined;
  /** Undefined without a quote, a beneficiary or a licensee. */
  readonly disclosure: Disclosure | undefined;
  /** What the law asks to know of the sender in this direction; empty while the direction is not known. */
  readonly demands: readonly OriginatorDemand[];
}

export class PreflightService {
  readonly #options: PreflightOptions;

  constructor(options: PreflightOptions) {
    this.#options = options;
  }

  /** `faults` are those of the request's fields. Throws `user_not_found` when the user was deleted meanwhile. */
  async check(database: Queryable, request: NewOrderRequest, faults: readonly FieldFault[]): Promise<Preflight> {
    const { users, ledger, creation, limits, disclosures, originators } = this.#options;
    const profile = await users.profile(database, request.merchantId, request.userId);
    if (!profile) throw userNotFound();
    const refusals = new Refusals(faults);
    const licensee = await refusals.from(() => creation.requireLicensee());
    const acceptance = licensee && (await refusals.from(() => requireAcceptance(licensee, request.acceptedDisclosure)));
    await refusals.from(() => ledger.requireSound(database, request.merchantId));
    await refusals.from(() => creation.requireFreeExternalId(database, request));
    const userLimits = await limits.limitsOf(database, request, profile.countryCode);
    const quote = await refusals.from(() => findQuoteByText(database, request.rateCode, request));
    const corridor = quote && (await refusals.from(() => creation.corridorOf(quote)));
    // With faults in its fields there is no beneficiary to compare with the corridor.
    const chosen =
      faults.length === 0
        ? await refusals.from(() => creation.chooseBeneficiary(database, request, request.choice))
        : undefined;
    if (chosen) {
      await refusals.from(() => requireMethod(request.payoutMethod, chosen.details));
      await refusals.from(() => creation.requireCountries(request, chosen, profile.countryCode));
    }
    const residence = profile.countryCode;
    const way = licensee && chosen && { licensee, residence, payout: chosen.details.country };
    const shared = {
      limits: userLimits,
      demands: originators.demands(way),
      cancellationRightMinutes: cancellationRightMinutes(profile.countryCode),
    };
    if (!quote) {
      const nothing = { quote, counted: undefined, estimatedArrivalAt: undefined, disclosure: undefined };
      return { refusals: refusals.all, ...nothing, ...shared };
    }
    const now = await readMerchantClock(database, request.merchantId);
    const plan = corridor && chosen && (await refusals.from(() => creation.planPayout(corridor, quote, chosen, now)));
    await refusals.from(() => creation.payinAccountFor(database, request.merchantId, quote.amountIn));
    const { refundAccount } = request;
    if (refundAccount) await refusals.from(() => readRefundAccount(refundAccount, profile, quote.amountIn));
    const kycBands = corridor?.kycBands ?? [];
    const assessment = limits.assess(userLimits, { amountIn: quote.amountIn, kycBands, corridor });
    const ofQuote = quoteRefusal(quote);
    refusals.add(...(ofQuote ? [ofQuote] : []), ...assessment.refusals);
    const { counted } = assessment;
    await this.#requireOriginator(database, refusals, { request, profile, way, usdMinor: counted?.usdMinor });
    const arrivesAt = plan?.estimatedArrivalAt;
    const { stateProvince: region } = profile;
    const sender = { merchantId: request.merchantId, residence, region, arrivesAt, now };
    const disclosure =
      chosen && (await disclosures.ofRequest(database, { terms: quote, payee: chosen.details, ...sender }));
    await refusals.from(() => disclosure && acceptance && requireSameText(disclosure, acceptance));
    return {
      refusals: refusals.all,
      quote,
      counted,
      estimatedArrivalAt: arrivesAt,
      disclosure,
      ...shared,
    };
  }

  async #requireOriginator(
    database: Queryable,
    refusals: Refusals,
    { request: { merchantId, userId }, profile, way, usdMinor }: AskedOriginator,
  ): Promise<void> {
    if (!way) return;
    const { users, originators } = this.#options;
    const [retainedKey, open] = await Promise.all([
      users.retainedKey(database, merchantId, userId),
      originators.read(database, merchantId, userId),
    ]);
    if (retainedKey) await refusals.from(() => originators.require(open(profile, retainedKey), way, usdMinor));
  }
}

interface AskedOriginator {
  readonly request: NewOrderRequest;
  readonly profile: Profile;
  /** Undefined while the direction is not known. */
  readonly way: OriginatorPlace | undefined;
  readonly usdMinor: bigint | undefined;
}

/** Collects what the checks throw. */
class Refusals {
  readonly all: RemesaError[] = [];

  constructor(faults: readonly FieldFault[]) {
    if (faults.length > 0) this.add(invalidFields(faults));
  }

  add(...refusals: readonly RemesaError[]): void {
    this.all.push(...refusals);
  }

  /** Returns undefined when the check refuses. Throws every other error, and when the database cannot be reached. */
  async from<Result>(check: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof RemesaError) || error.code === 'database_unavailable') throw error;
      this.add(error);
      return undefined;
    }
  }
}

function invalidFields(errors: readonly FieldFault[]): RemesaError {
  const message = errors.length === 1 ? 'One field is invalid.' : `${errors.length} fields are invalid.`;
  return new RemesaError('invalid', 'invalid_fields', message, { errors });
}
