/** What orders ask of this room: plan a payout, and write the attempt to pay out or back. */
import type { Details } from '../beneficiaries/beneficiary.js';
import { type MerchantId, newMerchantPublicId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import { amountToText } from '../money/literal.js';
import { senderOf } from '../orders/order/copies/copies.js';
import type { Sender } from '../orders/order/copies/sealed.js';
import type { Order, OrderId, OrderRef, Refund, RefundId } from '../orders/order/order.js';
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
import { type Attempt, corridorName, type Direction, referenceOf } from './attempt.js';
import { isStopped, type KnownPause, obstacleOf, type PausedPayment } from './pauses/pause.js';
import {
  endOfAccount,
  type Instruction,
  isByHand,
  jobOf,
  type NamedPayer,
  type PayerAccount,
  type Rail,
} from './rail.js';
import { accountIn, instructionIn } from './refunds/recipient.js';
import { hasEndedByDocument } from './reports/report-store.js';
import { chooseRail, type RailRoute } from './routing.js';
import { openAttempt } from './rows.js';
import { openPickupCode, sealContent } from './sealed.js';
import * as store from './store.js';
import { type AttemptState, attemptStateAfter, isDead } from './transitions.js';

/** Who made payments of an order: one payer, from one account. */
export interface KnownPayer {
  readonly name: string;
  /** Undefined when the bank did not tell. */
  readonly account: string | undefined;
  /** The name is unlike the user's. */
  readonly isAnother: boolean;
}

/**
 * Who made these payments of an order. The room of payments knows. `several`: not one payer from one account.
 * Undefined when nobody is known to have made them.
 */
export type FindPayer = (
  database: Queryable,
  order: Order,
  paymentIds: readonly string[],
) => Promise<KnownPayer | 'several' | undefined>;

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
  readonly recipient: Details | PayerAccount | NamedPayer | undefined;
  readonly refundId: RefundId | undefined;
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
      refundId: undefined,
      people,
    });
  }

  /**
   * The money goes back to the account that an operator chose, also before a review withdrew the refund, or that paid;
   * where that is not known, to the refund account of the order if the sender paid; otherwise by hand: an operator
   * finds out. Throws as `openPayout` does.
   */
  async openRefund(tx: Transaction, order: Order, refund: Refund, chosen?: RefundRecipient): Promise<void> {
    const { users, rails, routes, manualRail } = this.#options;
    const sender = await senderOf(users, tx, order);
    if (!sender) throw new Error('the sender of an open order is not known');
    const recipient =
      chosen ??
      (await this.#withdrawnRecipient(tx, order, refund)) ??
      (await this.#payerOf(tx, order, refund, sender.refundAccount));
    const asked = {
      direction: 'refund',
      amount: refund.amount,
      country: sender.country,
      method: 'bank_account',
    } as const;
    const isKnown = recipient && recipient.account !== null;
    const rail = (isKnown && chooseRail(routes, rails, asked)) || manualRail;
    const { refundId } = refund;
    await this.#open(tx, order, { ...asked, rail, recipient, refundId, people: await this.#payer(tx, order, sender) });
  }

  async withdrawnRecipient(tx: Transaction, order: Order, refund: Refund): Promise<RefundRecipient | undefined> {
    return accountIn({ recipient: (await this.#withdrawnRecipient(tx, order, refund)) ?? null });
  }

  /**
   * An attempt that the rail has been asked to make, or that an operator has recorded as submitted, cannot be
   * withdrawn. A worker that has leased it, and has not begun to send it, finds another version and sends nothing.
   */
  async withdrawUnsent(tx: Transaction, order: Order, only?: Refund): Promise<Withdrawn | undefined> {
    const isPaidOut = order.state === 'PAYOUT_SUBMITTED';
    const attempts = (await store.listAttemptsOfOrder(tx, order)).filter(({ direction, refundId }) =>
      isPaidOut ? direction === 'payout' : refundId !== undefined && (!only || refundId === only.refundId),
    );
    const locked = await this.#lockAlive(tx, attempts);
    if (locked.some(({ state }) => state !== 'READY') || (isPaidOut && locked.length === 0)) return undefined;
    for (const attempt of locked) {
      const to = attemptStateAfter(attempt.state, 'recall');
      if (!to || !(await store.saveState(tx, attempt, to, undefined)))
        throw new Error(`the attempt ${attempt.attemptId} has changed under its lock`);
    }
    return { rail: locked[0]?.rail };
  }

  /** Those that have not ended, as they are now: nothing is written unless all can be withdrawn. */
  async #lockAlive(tx: Transaction, attempts: readonly Attempt[]): Promise<Attempt[]> {
    const alive: Attempt[] = [];
    for (const attempt of attempts.filter(({ state }) => !hasEnded(state))) {
      const locked = await store.lockAttempt(tx, attempt);
      if (locked && !hasEnded(locked.state)) alive.push(locked);
    }
    return alive;
  }

  /** Undefined until the cash is ready, and after the user's key was destroyed. */
  async pickupCode(database: Queryable, order: Order): Promise<string | undefined> {
    const key = await this.#options.users.retainedKey(database, order.merchantId, order.userId);
    const found = key && (await store.findPickupCode(database, order));
    return found && openPickupCode(key, { ...order, attemptId: found.attemptId }, found.sealed);
  }

  /** Without an account where an operator must find out. */
  async #payerOf(
    tx: Transaction,
    order: Order,
    { paymentIds }: Refund,
    refundAccount: Details | undefined,
  ): Promise<Details | PayerAccount | NamedPayer | undefined> {
    const payer = await this.#options.findPayer(tx, order, paymentIds);
    if (payer === 'several') return undefined;
    if (!payer) return refundAccount;
    const { name, account, isAnother } = payer;
    if (account !== undefined) return { name, account };
    return (isAnother ? undefined : refundAccount) ?? { name, account: null };
  }

  /** Whom the newest attempt of the refund was for, if it was withdrawn before anything was sent. */
  async #withdrawnRecipient(
    tx: Transaction,
    order: Order,
    { refundId }: Refund,
  ): Promise<Instruction['recipient'] | undefined> {
    const attempts = await store.listAttemptsOfOrder(tx, order);
    const newest = attempts.findLast((attempt) => attempt.refundId === refundId);
    const isWithdrawn = newest?.state === 'RECALLED' && !newest.message;
    const key = isWithdrawn && (await this.#options.users.retainedKey(tx, order.merchantId, order.userId));
    if (!isWithdrawn || !key) return undefined;
    return instructionIn(key, newest, await store.findContent(tx, newest)).recipient;
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
    const { direction, rail, amount, method, country, recipient, refundId, people } = opened;
    const number = people.earlierAttempts + 1;
    const reference = referenceOf(orderId, number);
    const attemptId = newMerchantPublicId('att', merchantId);
    const instruction: Instruction = {
      reference,
      direction,
      currency: amount.currency,
      amount: amountToText(amount),
      sender: senderIn(direction, people),
      recipient: recipient ?? null,
      purpose: order.purpose,
    };
    const content = Buffer.from(JSON.stringify(instruction));
    await openAttempt(tx, {
      merchantId,
      attemptId,
      orderId,
      userId,
      refundId,
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
      isAutomatic: !isByHand(rail),
    });
    tx.wake(jobOf(rail));
  }
}

/** A payout says who sends it, as the law asks; a refund goes to the sender. */
function senderIn(direction: Direction, { senderName, sender }: Payer): Instruction['sender'] {
  const named = { name: senderName ?? null, country: sender.country };
  return direction === 'payout' && sender.originator ? { ...named, originator: sender.originator } : named;
}

/** Nothing can be withdrawn any more, and nothing has to be. */
function hasEnded(state: AttemptState): boolean {
  return isDead(state) || state === 'PAID';
}
