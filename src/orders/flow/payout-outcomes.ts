/**
 * What became of a payout: the beneficiary has the money, never had it, or it came back. The caller has locked the
 * order.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, add, isZero, subtract } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order, StatusReason } from '../order/order.js';
import type { OrderJournal, OrderTransitions } from '../order/transition.js';

/**
 * Where the returned money is now: it arrived as a movement, or the rail has it. With a bank account, the movement is
 * booked here; otherwise it has been booked.
 */
export type ReturnedTo = { readonly movement: string; readonly bank?: string | undefined } | { readonly rail: string };

/** Which account paid a payout of a rail, and what was charged. */
export interface PayoutDebit {
  readonly rail: string;
  /** Undefined while only the rail knows. */
  readonly bank: string | undefined;
  readonly charge: Amount;
}

/** What a payment that was made changes in the books. */
export function journalsOfDebit(
  { orderId, amountOut }: Pick<Order, 'orderId' | 'amountOut'>,
  { rail, bank, charge }: PayoutDebit,
): OrderJournal[] {
  if (bank !== undefined) return [postings.payoutDebited(orderId, { rail, bank }, amountOut, charge)];
  return isZero(charge) ? [] : [postings.payoutCharged(orderId, { rail }, charge)];
}

export class PayoutOutcomes {
  readonly #transitions: OrderTransitions;

  constructor(transitions: OrderTransitions) {
    this.#transitions = transitions;
  }

  /** The beneficiary has the money. Throws `order_transition_not_allowed`. */
  completePayout(tx: Transaction, by: By, order: Order, debit: PayoutDebit): Promise<Order> {
    const journals = journalsOfDebit(order, debit);
    return this.#transitions.applyTransition(tx, by, order, { event: 'complete', journals });
  }

  /**
   * The rail refused, recalled or sent back a payout that the beneficiary never had. `charge` was kept on the way, of
   * the money of `bank` where that is known. Throws `order_transition_not_allowed`.
   */
  failPayout(
    tx: Transaction,
    by: By,
    order: Order,
    failed: {
      readonly rail: string;
      readonly reason: StatusReason;
      readonly charge?: Amount;
      readonly bank?: string | undefined;
    },
  ): Promise<Order> {
    const { rail, reason, charge, bank } = failed;
    const { orderId, amountOut } = order;
    const from = bank === undefined ? { rail } : { bank };
    return this.#transitions.applyTransition(tx, by, order, {
      event: 'fail_payout',
      change: {
        statusReason: reason,
        payoutCharges: charge ? add(order.payoutCharges, charge) : order.payoutCharges,
      },
      journals: [
        postings.payoutFailed(orderId, rail, amountOut),
        ...(charge && charge.minor > 0n ? [postings.payoutCharged(orderId, from, charge)] : []),
      ],
    });
  }

  /** The money came back after it was paid. `charge` was kept by a bank. Throws `order_transition_not_allowed`. */
  returnPayout(
    tx: Transaction,
    by: By,
    order: Order,
    returned: { readonly to: ReturnedTo; readonly charge: Amount; readonly reason: StatusReason },
  ): Promise<Order> {
    const { to, charge, reason } = returned;
    const { orderId, amountOut } = order;
    const arrived =
      'bank' in to && to.bank !== undefined
        ? [postings.movementIn(to.movement, to.bank, subtract(amountOut, charge))]
        : [];
    return this.#transitions.applyTransition(tx, by, order, {
      event: 'return',
      change: { statusReason: reason, payoutCharges: add(order.payoutCharges, charge) },
      journals: [...arrived, postings.payoutReturned(orderId, to, amountOut, charge)],
    });
  }
}
