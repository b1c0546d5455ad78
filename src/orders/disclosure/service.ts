/** Makes the disclosure of an order, and of an order that is only tried. */
import type { PageMerchant } from '../../hosted-pages/frame.js';
import type { MerchantId } from '../../ids.js';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import { supervisorFor } from '../../licensee/licensee.js';
import { findLicensee, licenseeMissing } from '../../licensee/service.js';
import type { Locale } from '../../locale.js';
import { findMerchantById } from '../../merchants/service.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Ratio } from '../../money/rate.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { findQuotes } from '../../rates/service.js';
import type { UserService } from '../../users/service.js';
import { senderOf } from '../order/copies/copies.js';
import { findOrderOf } from '../order/finding.js';
import type { Order, Payee } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import type { OrderScope } from '../order/wire/scope.js';
import { type Acceptance, type AcceptedDisclosure, requireSameText } from './acceptance.js';
import { type Disclosure, discloseTerms, type PricedTerms, referenceOf } from './disclosure.js';
import { type DisclosureView, viewOfDisclosure, wordingOfView } from './schemas.js';
import { addDisclosure, findDisclosure } from './store.js';
import { type Wording, wordingOf } from './wording.js';

export interface DisclosureOptions {
  readonly users: UserService;
  readonly payouts: () => Pick<Payouts, 'plan'>;
  /** Undefined where the ECB publishes no rate. */
  readonly ecbRate: (fiatIn: CurrencyCode, fiatOut: CurrencyCode) => Ratio | undefined;
}

export interface DisclosedRequest {
  readonly merchantId: Order['merchantId'];
  readonly terms: PricedTerms & { readonly rateSource: string };
  readonly payee: Pick<Payee, 'country' | 'method'>;
  readonly residence: string;
  readonly region: string | undefined;
  /** Undefined while it is not known how the order would be paid out. */
  readonly arrivesAt: Date | undefined;
  readonly now: Date;
}

/** A disclosure in one language, as JSON and as a page. */
export interface ShownDisclosure {
  readonly view: DisclosureView;
  readonly wording: Wording;
  readonly merchant: PageMerchant;
}

/** Allowed for where payouts are paused, and nobody knows when they go on. */
const pausedDays = 5;
const dayMs = 86_400_000;

export class DisclosureService {
  readonly #options: DisclosureOptions;

  constructor(options: DisclosureOptions) {
    this.#options = options;
  }

  /**
   * The text that the sender accepted with the order, in its language; else what would be told now. Throws
   * `order_not_found`. Undefined while the operator has not entered the licensee.
   */
  async ofOrder(
    database: Queryable,
    scope: OrderScope,
    id: string,
    locale: Locale,
  ): Promise<ShownDisclosure | undefined> {
    const order = await findOrderOf(database, scope, id);
    const accepted = await this.acceptedWith(database, order);
    if (accepted) {
      const page = await pageMerchantOf(database, order.merchantId);
      return page && { view: accepted, wording: wordingOfView(accepted), merchant: page };
    }
    const disclosure = await this.#ofNow(database, order);
    if (!disclosure) return undefined;
    const wording = wordingOf(disclosure, locale);
    return { view: viewOfDisclosure(disclosure, wording), wording, merchant: disclosure.merchant };
  }

  /** Throws `disclosure_changed` when the sender has read another text, and `licensee_missing`. */
  async accept(database: Queryable, request: DisclosedRequest, acceptance: Acceptance): Promise<AcceptedDisclosure> {
    const disclosure = await this.ofRequest(database, request);
    if (!disclosure) throw licenseeMissing();
    return requireSameText(disclosure, acceptance);
  }

  /** Keeps what the sender has accepted with a new order. */
  async keep(tx: Transaction, retainedKey: Buffer, order: Order, accepted: AcceptedDisclosure): Promise<void> {
    const { language, textHash } = accepted;
    const sealedDisclosure = seal(retainedKey, Buffer.from(JSON.stringify(accepted)), placeOf(order));
    await addDisclosure(tx, order, { language, textHash, sealedDisclosure, acceptedAt: order.createdAt });
  }

  /** What the sender accepted with the order. Undefined after the retained key was destroyed. */
  async acceptedWith(database: Queryable, order: Order): Promise<AcceptedDisclosure | undefined> {
    const stored = await findDisclosure(database, order);
    const key = stored && (await this.#options.users.retainedKey(database, order.merchantId, order.userId));
    if (!key) return undefined;
    const view = JSON.parse(open(key, stored.sealedDisclosure, placeOf(order)).toString()) as AcceptedDisclosure;
    return { ...view, acceptedAt: stored.acceptedAt.toISOString() };
  }

  async #ofNow(database: Queryable, order: Order): Promise<Disclosure | undefined> {
    const { users, payouts } = this.#options;
    const { merchantId, userId, quoteCode, amountIn, amountOut, payee } = order;
    const [quotes, profile, sender, now] = await Promise.all([
      findQuotes(database, merchantId, [quoteCode]),
      users.profile(database, merchantId, userId),
      senderOf(users, database, order),
      readMerchantClock(database, merchantId),
    ]);
    const plan = payouts().plan({ merchantId, fiatIn: amountIn.currency, amountOut, payee }, now);
    return this.ofRequest(database, {
      merchantId,
      terms: { ...order, rateSource: quotes.get(quoteCode)?.rateSource ?? '' },
      payee,
      residence: sender?.country ?? profile?.countryCode ?? '',
      region: profile?.stateProvince,
      arrivesAt: order.estimatedArrivalAt ?? ('obstacle' in plan ? undefined : plan.estimatedArrivalAt),
      now,
    });
  }

  /** Undefined while the operator has not entered the licensee. */
  async ofRequest(database: Queryable, request: DisclosedRequest): Promise<Disclosure | undefined> {
    const { merchantId, terms, payee, residence, region, arrivesAt, now } = request;
    const merchant = await pageMerchantOf(database, merchantId);
    if (!merchant) return undefined;
    const { licensee } = merchant;
    return discloseTerms({
      terms,
      payee,
      residence,
      reference: referenceOf(terms, this.#options.ecbRate(terms.amountIn.currency, terms.amountOut.currency)),
      arrivesAt: arrivesAt ?? new Date(now.getTime() + pausedDays * dayMs),
      merchant,
      licensee,
      supervisor: supervisorFor(licensee, residence, region),
    });
  }
}

/** Undefined while the operator has not entered the licensee. */
async function pageMerchantOf(database: Queryable, merchantId: MerchantId) {
  const [stored, merchant] = await Promise.all([findLicensee(database), findMerchantById(database, merchantId)]);
  if (!stored || !merchant) return undefined;
  const { name, branding } = merchant;
  return { name: branding.displayName ?? name, branding, allowedOrigins: [], licensee: stored.licensee };
}

function placeOf({ merchantId, userId, orderId }: Order): string {
  return bindingOf('order_disclosures', 'sealed_disclosure', merchantId, userId, orderId);
}
