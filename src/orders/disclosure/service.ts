/** Makes the disclosure of an order, and of an order that is only tried. */
import { supervisorFor } from '../../licensee/licensee.js';
import { findLicensee } from '../../licensee/service.js';
import { findMerchantById } from '../../merchants/service.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Queryable } from '../../postgres/statement.js';
import { findQuotes } from '../../rates/service.js';
import type { UserService } from '../../users/service.js';
import { senderOf } from '../order/copies/copies.js';
import { findOrderOf } from '../order/finding.js';
import type { Order, Payee } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import type { OrderScope } from '../order/wire/scope.js';
import { type Disclosure, discloseTerms, type PricedTerms } from './disclosure.js';

export interface DisclosureOptions {
  readonly users: UserService;
  readonly payouts: () => Pick<Payouts, 'plan'>;
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

/** Allowed for where payouts are paused, and nobody knows when they go on. */
const pausedDays = 5;
const dayMs = 86_400_000;

export class DisclosureService {
  readonly #options: DisclosureOptions;

  constructor(options: DisclosureOptions) {
    this.#options = options;
  }

  /** Throws `order_not_found`. Undefined while the operator has not entered the licensee. */
  async ofOrder(database: Queryable, scope: OrderScope, id: string): Promise<Disclosure | undefined> {
    const order = await findOrderOf(database, scope, id);
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
    const [stored, merchant] = await Promise.all([findLicensee(database), findMerchantById(database, merchantId)]);
    if (!stored || !merchant) return undefined;
    const { licensee } = stored;
    return discloseTerms({
      terms,
      payee,
      residence,
      rateSource: terms.rateSource,
      arrivesAt: arrivesAt ?? new Date(now.getTime() + pausedDays * dayMs),
      merchant: {
        name: merchant.branding.displayName ?? merchant.name,
        branding: merchant.branding,
        allowedOrigins: [],
        licensee,
      },
      licensee,
      supervisor: supervisorFor(licensee, residence, region),
    });
  }
}
