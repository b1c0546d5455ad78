/** Opens a transfer by the token of its link, as its sender sees it. */
import type { PageMerchant } from '../hosted-pages/frame.js';
import { beneficiaryOf } from '../orders/order/copies/copies.js';
import { findOrderOf } from '../orders/order/finding.js';
import { listTimelineOf } from '../orders/order/history.js';
import type { Order } from '../orders/order/order.js';
import type { Payouts } from '../orders/order/ports.js';
import { viewOfOrder } from '../orders/order/wire/order-view.js';
import type { OrderScope } from '../orders/order/wire/scope.js';
import { availableOn } from '../orders/receipt/availability.js';
import { nameOfBeneficiary } from '../orders/receipt/receipt.js';
import { isPublic, type Milestones, milestonesOf } from '../orders/timeline/timeline.js';
import { readMerchantClock } from '../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import type { TransferLink } from './links/link.js';
import type { LinkService } from './links/service.js';
import { type OrderView, type Stage, stageOf, takesMoney } from './stage.js';

export interface TransferOptions {
  readonly links: LinkService;
  readonly users: UserService;
  readonly payouts: Pick<Payouts, 'plan'>;
}

/** A link that opens its order. */
export interface OpenTransfer {
  readonly kind: 'open';
  readonly link: TransferLink;
  readonly merchant: PageMerchant;
  readonly scope: OrderScope;
  readonly order: Order;
  readonly view: OrderView;
  readonly stage: Stage;
}

/** `ended`: the link has expired or was withdrawn. `unknown`: there is no such link. */
export type ClosedTransfer =
  | { readonly kind: 'ended'; readonly link: TransferLink; readonly merchant: PageMerchant }
  | { readonly kind: 'unknown' };

/** What the page of a transfer shows besides its order. */
export interface TransferDetails extends Milestones {
  /** Undefined once the copy of the beneficiary can no longer be opened. */
  readonly beneficiaryName: string | undefined;
  /** The day by which the money arrives if it is paid for today. Undefined when it is not awaited, or nobody knows. */
  readonly arrivesOn: string | undefined;
}

export class TransferService {
  readonly #options: TransferOptions;

  constructor(options: TransferOptions) {
    this.#options = options;
  }

  /** Never tells whether a user was deleted, or a merchant suspended: such a link is unknown. */
  async open(database: Queryable, token: string): Promise<OpenTransfer | ClosedTransfer> {
    const { links, users } = this.#options;
    const found = await links.find(database, token);
    if (!found) return { kind: 'unknown' };
    const { link, merchant, isOpen } = found;
    if (!isOpen) return { kind: 'ended', link, merchant };
    const { merchantId, userId } = link;
    if (!(await users.profile(database, merchantId, userId))) return { kind: 'unknown' };
    const scope = { merchantId, userId };
    const order = await findOrderOf(database, scope, link.orderId);
    const view = viewOfOrder(order);
    return { kind: 'open', link, merchant, scope, order, view, stage: stageOf(view) };
  }

  /**
   * Whether the link still opens its order, which it then does until this transaction ends. The user is locked first,
   * as everywhere.
   */
  async hold(tx: Transaction, { link }: OpenTransfer): Promise<boolean> {
    const { links, users } = this.#options;
    await users.lock(tx, link.merchantId, link.userId);
    return links.hold(tx, link);
  }

  async details(database: Queryable, { order, view }: OpenTransfer): Promise<TransferDetails> {
    const [timeline, beneficiary, now] = await Promise.all([
      listTimelineOf(database, order),
      beneficiaryOf(this.#options.users, database, order),
      readMerchantClock(database, order.merchantId),
    ]);
    const name = beneficiary && nameOfBeneficiary(beneficiary);
    const arrivesOn = takesMoney(view) ? this.#arrivesOn(order, now) : undefined;
    return { ...milestonesOf(timeline.filter(isPublic)), beneficiaryName: name, arrivesOn };
  }

  /** As the disclosure of the order says it. */
  #arrivesOn({ merchantId, amountIn, amountOut, payee }: Order, now: Date): string | undefined {
    const plan = this.#options.payouts.plan({ merchantId, fiatIn: amountIn.currency, amountOut, payee }, now);
    return 'obstacle' in plan ? undefined : availableOn(plan.estimatedArrivalAt, payee.country);
  }
}
