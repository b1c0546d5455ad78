/**
 * Owns the money that comes in: the accounts that senders pay to, the movements on them, and what is in suspense. Does
 * not own the orders that the money is for (orders) or the books (ledger).
 */
import type { DigestedRow } from '../changes/row.js';
import type { PublicId, TenantId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import { amountToLiteral } from '../money/literal.js';
import type { OrderRef } from '../orders/order/order.js';
import { requoteRefusals } from '../orders/requote/requote.js';

export type PaymentId = PublicId<'pay'>;

/** Who paid, as the bank reports it, and what the payer wrote. Personal data: it is stored sealed. */
export interface Payer {
  readonly name: string;
  readonly account: string | undefined;
  readonly remittanceText: string;
}

/** What a bank reports about money that arrived on an account. */
export interface Movement {
  /** The bank's own reference. On one account, the same reference is the same movement. */
  readonly bankReference: string;
  readonly amount: Amount;
  readonly bookedAt: Date;
  /** The day of the booking at the place of the account, as YYYY-MM-DD. Undefined on the simulated account. */
  readonly bookedOn: string | undefined;
  readonly payer: Payer;
}

/** An account with its owner: a merchant, or the instance when all merchants share it. */
export interface AccountRef {
  readonly ownerId: TenantId;
  readonly accountId: string;
}

export interface ImportedLine {
  readonly importId: string;
  readonly line: number;
}

export type PaymentSource = 'operator' | 'sandbox' | 'statement' | ImportedLine;

/**
 * `applied`: to its order. `suspense`: no order takes it. `handed_over`: from a shared account to the merchant of its
 * order, which applies it or puts it in suspense.
 */
export const paymentOutcomes = ['applied', 'suspense', 'handed_over'] as const;
export type PaymentOutcome = (typeof paymentOutcomes)[number];

/** Why no order takes a payment, or all of it. */
export const suspenseReasons = [
  'no_reference',
  'unknown_reference',
  'several_references',
  'mistyped_reference',
  'order_cancelled',
  'order_expired',
  'order_not_payable',
  'duplicate',
  'wrong_currency',
  'late',
  'short',
  'over',
  'taken_off',
  ...requoteRefusals,
] as const;
export type SuspenseReason = (typeof suspenseReasons)[number];

/** A movement as it is stored, without its payer. It never changes, but that it can be voided. */
export interface Payment extends AccountRef {
  readonly paymentId: PaymentId;
  readonly bankReference: string;
  readonly amount: Amount;
  readonly bookedAt: Date;
  readonly bookedOn: string | undefined;
  readonly importedLine: ImportedLine | undefined;
  readonly outcome: PaymentOutcome;
  /** Why it is in suspense; `over` for an applied payment whose excess is. */
  readonly reason: SuspenseReason | undefined;
  /** The order that its reference names, or nearly names. */
  readonly order: OrderRef | undefined;
  readonly recordedAt: Date;
  /** The merchant of the order has taken it over, or orders have had all of it. */
  readonly isSettled: boolean;
  /** When two operators had voided it: it never arrived like this. */
  readonly voidedAt: Date | undefined;
}

/** The payment as operators see it. It contains nothing personal. */
export function viewOfPayment(payment: Payment) {
  return {
    id: payment.paymentId,
    accountId: payment.accountId,
    bankReference: payment.bankReference,
    amount: Number(amountToLiteral(payment.amount)),
    currency: payment.amount.currency,
    bookedAt: payment.bookedAt.toISOString(),
    outcome: payment.outcome,
    reason: payment.reason ?? null,
    orderId: payment.order?.orderId ?? null,
    recordedAt: payment.recordedAt.toISOString(),
    voidedAt: payment.voidedAt?.toISOString() ?? null,
  };
}

/** Begins the subjects of payments. */
export const paymentPrefix = 'payment:';

/** What the log remembers of its row. */
export function digestedPayment(payment: Payment): DigestedRow {
  const { amount, importedLine, order } = payment;
  return {
    subject: `${paymentPrefix}${payment.paymentId}`,
    row: [
      payment.accountId,
      payment.bankReference,
      amount.currency,
      amount.minor,
      payment.bookedAt,
      payment.bookedOn,
      importedLine?.importId,
      importedLine?.line,
      payment.outcome,
      payment.reason,
      order?.merchantId,
      order?.orderId,
      payment.voidedAt,
    ],
  };
}
