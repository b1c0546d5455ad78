/** What orders ask of this room: plan a payout, and write the attempt to pay out or back. */
import type { Details } from '../beneficiaries/beneficiary.js';
import { type MerchantId, newMerchantPublicId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import { amountToText } from '../money/literal.js';
import { senderOf } from '../orders/order/copies/copies.js';
import type { Sender } from '../orders/order/copies/sealed.js';
import type { Order, OrderId, OrderRef } from '../orders/order/order.js';
import type {
  PayoutObstacle,
  PayoutPeople,
  PayoutPlan,
  PayoutRequest,
  Payouts,
  RefundRecipient,
  Withdrawn,
} from '../orders/order/ports.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { corridorName, type Direction, referenceOf } from './attempt.js';
import { isStopped, type KnownPause, obstacleOf, type PausedPayment } from './pauses/pause.js';
import { endOfAccount, type Instruction, type PayerAccount, type Rail } from './rail.js';
import { hasEndedByDocument } from './reports/report-store.js';
import { chooseRail, type RailRoute } from './routing.js';
import { openAttempt } from './rows.js';
import { openContent, openPickupCode, sealContent } from './sealed.js';
import * as store from './store.js';
import { attemptStateAfter } from './transitions.js';

export const sendJob = 'payouts.send';

/** Which account paid an order. The room of payments knows; undefined when nobody does. */
export type FindPayer = (database: Queryable, order: Order) => Promise<PayerAccount | undefined>;

export interface PayoutOptions {
  readonly users: UserService;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly routes: readonly RailRoute[];
  /** Carries refunds that no other rail takes. */
  readonly manualRail: Rail;
  readonly pauses: () => readonly KnownPause[];
  readonly findPayer: FindPayer;
}

interface Opened {
  readonly direction: Direction;
  readonly rail: Rail;
  readonly amount: Amount;
  readonly method: string;
  readonly country: string;
  readonly recipient: Details | PayerAccount | undefined;
  readonly people: Payer;
}

type Payer = Omit<PayoutPeople, 'beneficiary'>;

export class PayoutService implements Payouts {
  readonly #options: PayoutOptions;

  constructor(options: PayoutOptions) {
    this.#options = options;
  }

  plan(request: PayoutRequest, now: Date): PayoutPlan | { readonly obstacle: PayoutObstacle } {
    const { rails, routes, pauses } = this.#options;
    const { merchantId, fiatIn, amountOut: amount, payee } = request;
    const asked = { direction: 'payout', amount, country: payee.country, method: payee.method } as const;
    const rail = chooseRail(routes, rails, asked);
    if (!rail) return { obstacle: 'no_rail' };
    const fiatOut = amount.currency;
    const obstacle = obstacleOf(pauses(), { rail: rail.name, merchantId, fiatIn, fiatOut });
    return obstacle ? { obstacle } : { rail: rail.name, estimatedArrivalAt: rail.plan(asked, now).arrivesAt };
  }

  areOrdersStopped({ merchantId, fiatIn, amountOut: amount, payee }: PayoutRequest): boolean {
    const { rails, routes, pauses } = this.#options;
    const asked = { direction: 'payout', amount, country: payee.country, method: payee.method } as const;
    const rail = chooseRail(routes, rails, asked)?.name;
    return isStopped(pauses(), { rail, merchantId, fiatIn, fiatOut: amount.currency }, 'orders');
  }

  hasEndedByDocument(database: Queryable, order: OrderRef): Promise<boolean> {
    return hasEndedByDocument(database, order);
  }

  /** For the room of rates. */
  areQuotesStopped(asked: Omit<PausedPayment, 'rail'>): boolean {
    return isStopped(this.#options.pauses(), { ...asked, rail: undefined }, 'quotes');
  }

  countAttempts(
    database: Queryable,
    merchantId: MerchantId,
    orderIds: readonly OrderId[],
  ): Promise<ReadonlyMap<OrderId, number>> {
    return store.countAttemptsOf(database, merchantId, orderIds);
  }

  /** Throws when the order has an attempt that is not dead: nobody is paid twice. */
  async openPayout(tx: Transaction, order: Order, plan: PayoutPlan, people: PayoutPeople): Promise<void> {
    const rail = this.#options.rails.get(plan.rail);
    if (!rail) throw new Error(`there is no rail ${plan.rail}`);
    const { country, method } = order.payee;
    await this.#open(tx, order, {
      direction: 'payout',
      rail,
      amount: order.amountOut,
      method,
      country,
      recipient: people.beneficiary,
      people,
    });
  }

  /**
   * The money goes back to the account that an operator chose, also before a review withdrew the refund, or that paid;
   * where none is known, to the refund account of the order; without one, by hand: an operator finds out. Throws as
   * `openPayout` does.
   */
  async openRefund(tx: Transaction, order: Order, due: Amount, chosen?: RefundRecipient): Promise<void> {
    const { users, rails, routes, manualRail, findPayer } = this.#options;
    const sender = await senderOf(users, tx, order);
    if (!sender) throw new Error('the sender of an open order is not known');
    const recipient =
      chosen ?? (await this.#withdrawnRecipient(tx, order)) ?? (await findPayer(tx, order)) ?? sender.refundAccount;
    const asked = {
      direction: 'refund',
      amount: due,
      country: sender.country,
      method: 'bank_account',
    } as const;
    const rail = (recipient && chooseRail(routes, rails, asked)) ?? manualRail;
    await this.#open(tx, order, { ...asked, rail, recipient, people: await this.#payer(tx, order, sender) });
  }

  /**
   * An attempt that the rail has been asked to make, or that an operator has recorded as submitted, cannot be
   * withdrawn. A worker that has leased it, and has not begun to send it, finds another version and sends nothing.
   */
  async withdrawUnsent(tx: Transaction, order: Order): Promise<Withdrawn | undefined> {
    const attempts = await store.listAttemptsOfOrder(tx, order);
    const unsent = attempts.find(({ state }) => state === 'READY');
    const to = unsent && attemptStateAfter(unsent.state, 'recall');
    const withdrawn = to && (await store.saveState(tx, unsent, to, undefined));
    return withdrawn && { rail: withdrawn.rail };
  }

  /** Undefined until the cash is ready, and after the user's key was destroyed. */
  async pickupCode(database: Queryable, order: Order): Promise<string | undefined> {
    const key = await this.#options.users.retainedKey(database, order.merchantId, order.userId);
    const found = key && (await store.findPickupCode(database, order));
    return found && openPickupCode(key, { ...order, attemptId: found.attemptId }, found.sealed);
  }

  /** Whom the newest attempt was for, if it is a refund that was withdrawn before anything was sent. */
  async #withdrawnRecipient(tx: Transaction, order: Order): Promise<Instruction['recipient'] | undefined> {
    const newest = (await store.listAttemptsOfOrder(tx, order)).at(-1);
    const isWithdrawn = newest?.direction === 'refund' && newest.state === 'RECALLED' && !newest.message;
    const key = isWithdrawn && (await this.#options.users.retainedKey(tx, order.merchantId, order.userId));
    if (!isWithdrawn || !key) return undefined;
    const content = openContent(key, newest, await store.findContent(tx, newest));
    return (JSON.parse(content.toString()) as Instruction).recipient;
  }

  /** What `openRefund` needs to know of whoever is paid back. */
  async #payer(tx: Transaction, order: Order, sender: Sender): Promise<Payer> {
    const { users } = this.#options;
    const { merchantId, orderId, userId } = order;
    const [counts, retainedKey, profile] = await Promise.all([
      store.countAttemptsOf(tx, merchantId, [orderId]),
      users.retainedKey(tx, merchantId, userId),
      users.profile(tx, merchantId, userId),
    ]);
    if (!retainedKey) throw new Error('the sender of an open order is not known');
    const senderName = profile && `${profile.firstName} ${profile.lastName}`;
    return { retainedKey, senderName, sender, earlierAttempts: counts.get(orderId) ?? 0 };
  }

  async #open(tx: Transaction, order: Order, opened: Opened): Promise<void> {
    const { merchantId, orderId, userId, amountIn, amountOut } = order;
    const { direction, rail, amount, method, country, recipient, people } = opened;
    const number = people.earlierAttempts + 1;
    const reference = referenceOf(orderId, number);
    const attemptId = newMerchantPublicId('att', merchantId);
    const instruction: Instruction = {
      reference,
      direction,
      currency: amount.currency,
      amount: amountToText(amount),
      sender: { name: people.senderName ?? null, country: people.sender.country },
      recipient: recipient ?? null,
      purpose: order.purpose,
    };
    const content = Buffer.from(JSON.stringify(instruction));
    await openAttempt(tx, {
      merchantId,
      attemptId,
      orderId,
      userId,
      direction,
      number,
      reference,
      rail: rail.name,
      amount,
      country,
      method,
      account: endOfAccount(recipient),
      corridor: corridorName(amountIn.currency, amountOut.currency),
      sealedContent: sealContent(people.retainedKey, { merchantId, userId, attemptId }, content),
      isAutomatic: rail.capabilities.submission === 'automatic',
    });
    tx.wake(sendJob);
  }
}
