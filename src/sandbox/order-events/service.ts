/**
 * Things that happen to an order in the sandbox because its merchant says so: what rails, operators and time would do.
 */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import { simulatedOperator } from '../../operators/simulated.js';
import type { Expiry } from '../../orders/deadlines/expiry.js';
import type { RetryService } from '../../orders/flow/retry-service.js';
import type { RefundService } from '../../orders/operator/refund-service.js';
import { findOrderOf, lockOrderOf } from '../../orders/order/finding.js';
import type { Order } from '../../orders/order/order.js';
import type { RefundRecipient } from '../../orders/order/ports.js';
import type { RequirementCode } from '../../orders/order/requirement.js';
import type { FreezeService } from '../../orders/review/freeze-service.js';
import type { ReviewService } from '../../orders/review/service.js';
import type { PayoutSimulation, SimulatedReport } from '../../payouts/reports/simulation-service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';

export const reportEvents = {
  payout_accepted: { direction: 'payout', kind: 'accepted' },
  payout_paid: { direction: 'payout', kind: 'paid' },
  payout_rejected: { direction: 'payout', kind: 'rejected' },
  payout_returned: { direction: 'payout', kind: 'returned' },
  refund_paid: { direction: 'refund', kind: 'paid' },
  refund_rejected: { direction: 'refund', kind: 'rejected' },
  refund_returned: { direction: 'refund', kind: 'returned' },
} as const satisfies Readonly<Record<string, Omit<SimulatedReport, 'reason'>>>;

export const decisionEvents = [
  'review_started',
  'review_approved',
  'review_refused',
  'information_requested',
  'payout_retried',
  'refund_retried',
  'time_ran_out',
] as const;

export type SimulatedEventType = keyof typeof reportEvents | (typeof decisionEvents)[number];

export interface SimulatedEvent {
  readonly type: SimulatedEventType;
  /** Of a rail: a code of ISO 20022. */
  readonly reason?: string | undefined;
  /** What the sender is asked for. */
  readonly items?: readonly RequirementCode[] | undefined;
  /** Where a refund that is tried again goes. Absent: the account that paid. */
  readonly recipient?: RefundRecipient | undefined;
}

export interface OrderEventOptions {
  readonly users: UserService;
  readonly expiry: Expiry;
  readonly reviews: ReviewService;
  readonly freezes: FreezeService;
  readonly retries: RetryService;
  readonly refunds: RefundService;
  readonly payouts: PayoutSimulation;
}

/** What must be known before the transaction. */
export type PreparedEvent = Awaited<ReturnType<RetryService['prepare']>>;

export interface EventRequest {
  readonly merchantId: MerchantId;
  readonly orderId: string;
  readonly event: SimulatedEvent;
  readonly prepared: PreparedEvent;
}

const usualReason = 'AC04';
const usualDays = 7;
const note = 'Decided in the sandbox by the merchant.';
const byTime: By = { actor: { kind: 'system', name: 'order expiry' } };

export class OrderEventService {
  readonly #options: OrderEventOptions;

  constructor(options: OrderEventOptions) {
    this.#options = options;
  }

  /** Asks the gate about a payout that is to be tried again. Throws `order_not_found`. */
  async prepare(
    database: Queryable,
    { merchantId, orderId, event }: Omit<EventRequest, 'prepared'>,
  ): Promise<PreparedEvent> {
    if (event.type !== 'payout_retried') return undefined;
    const order = await findOrderOf(database, { merchantId, userId: undefined }, orderId);
    return this.#options.retries.prepare(database, order.orderId);
  }

  /**
   * Returns the order after the event. Throws `order_not_found`, `order_transition_not_allowed`,
   * `simulated_event_impossible` and `ledger_fault`.
   */
  async simulate(tx: Transaction, by: By, { merchantId, orderId, ...rest }: EventRequest): Promise<Order> {
    const scope = { merchantId, userId: undefined };
    const order = await lockOrderOf(tx, this.#options.users, scope, orderId);
    await this.#cause(tx, by, order, rest).catch(asMerchantsSeeIt);
    return findOrderOf(tx, scope, order.orderId);
  }

  async #cause(
    tx: Transaction,
    by: By,
    order: Order,
    { event, prepared }: Pick<EventRequest, 'event' | 'prepared'>,
  ): Promise<unknown> {
    const { expiry, payouts } = this.#options;
    const { type } = event;
    if (isReport(type)) {
      const { direction, kind } = reportEvents[type];
      const isFailure = kind === 'rejected' || kind === 'returned';
      const reason = event.reason ?? (isFailure ? usualReason : undefined);
      return payouts.report(tx, by, order, { direction, kind, reason });
    }
    if (type === 'time_ran_out') return expiry.endWaiting(tx, byTime, order);
    return this.#decide(tx, asOperator(by), order, { ...event, type, prepared });
  }

  #decide(
    tx: Transaction,
    by: By,
    { orderId, version }: Order,
    { type, items = ['source_of_funds'], recipient, prepared }: Decided,
  ): Promise<Order> {
    const { reviews, freezes, retries, refunds } = this.#options;
    switch (type) {
      case 'review_started':
        return freezes.refer(tx, by, orderId, note);
      case 'review_approved':
        return reviews.approve(tx, by, orderId, { note, version });
      case 'review_refused':
        return reviews.refuse(tx, by, orderId, { note, version, reason: 'compliance' });
      case 'information_requested':
        return freezes.requestInformation(tx, by, orderId, { items, days: usualDays, note });
      case 'payout_retried':
        return retries.retry(tx, by, orderId, { note, version, prepared });
      case 'refund_retried':
        return refunds.retry(tx, by, orderId, { note, version, refundId: undefined, recipient });
    }
  }
}

type Decided = Pick<SimulatedEvent, 'items' | 'recipient'> & {
  readonly type: Exclude<(typeof decisionEvents)[number], 'time_ran_out'>;
  readonly prepared: PreparedEvent;
};

function isReport(type: SimulatedEventType): type is keyof typeof reportEvents {
  return type in reportEvents;
}

function asOperator({ requestId }: By): By {
  return { actor: simulatedOperator, ...(requestId === undefined ? {} : { requestId }) };
}

/** A merchant is not told why a review cannot be approved. */
function asMerchantsSeeIt(error: unknown): never {
  const isOurs = error instanceof RemesaError && ['order_review_blocked', 'order_terms_differ'].includes(error.code);
  if (!isOurs) throw error;
  const message = 'This review can be decided by an operator only.';
  throw new RemesaError('conflict', 'simulated_event_impossible', message);
}
