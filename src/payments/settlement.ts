/**
 * Writes what was decided about a payment: the order takes it, or it is in suspense. Always one merchant's rows: those
 * of the order's merchant, or those of the account's owner when there is no order.
 */
import type { By } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { newMerchantPublicId, type TenantId } from '../ids.js';
import type { PreparedJournal } from '../ledger/journal.js';
import * as postings from '../ledger/postings.js';
import type { LedgerService } from '../ledger/service.js';
import type { Order, OrderId, OrderRef } from '../orders/order/order.js';
import type { Receiving } from '../orders/payin/receiving.js';
import type { Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { addApplied, addSuspended } from './applications/applications.js';
import type { Decision, Taken } from './matching/matching.js';
import type { Payer, Payment, PaymentId, SuspenseReason } from './payment.js';
import type { InstanceSealer } from './sealed.js';
import type { SuspenseActions } from './suspense/actions.js';
import { openSuspense } from './suspense/changes.js';
import type { SuspenseRecord } from './suspense/suspense.js';

export interface SettlementOptions {
  readonly ledger: LedgerService;
  readonly receiving: Pick<Receiving, 'receive' | 'recordUnapplied'>;
  readonly users: UserService;
  readonly sealer: InstanceSealer;
  /** Returns money where the merchant's policy says so. */
  readonly suspense: SuspenseActions;
}

/** A payment that names an order, which the caller has locked. */
export interface ForOrder {
  readonly payment: Payment;
  readonly payer: Payer;
  readonly order: Order;
  readonly decision: Decision;
  /** How the money came into the books of the order's merchant. The caller names it in a change. */
  readonly arrival: PreparedJournal;
}

export interface WithoutOrder {
  readonly payment: Payment;
  readonly tenant: TenantId;
  readonly reason: SuspenseReason;
  readonly orderId: OrderId | undefined;
  /** How the money came into the books of the tenant. The caller names it in a change. */
  readonly arrival: PreparedJournal;
}

export class PaymentSettlement {
  readonly #options: SettlementOptions;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /** Applies the payment to its order, or puts it in suspense under the order's merchant. Each payment once. */
  async settle(tx: Transaction, by: By, settled: ForOrder): Promise<void> {
    const { payment, order, decision, arrival } = settled;
    const { merchantId, orderId } = order;
    await this.#addApplications(tx, settled);
    const { ledger, receiving, suspense } = this.#options;
    if (decision.kind === 'taken') {
      await Promise.all([ledger.write(tx, arrival), this.#take(tx, by, settled, decision)]);
      return;
    }
    const { reason, isReturned } = decision;
    const [record] = await Promise.all([
      this.suspend(tx, by, { payment, tenant: merchantId, reason, orderId, arrival }),
      receiving.recordUnapplied(tx, by, order),
    ]);
    if (isReturned) await suspense.returnToPayer(tx, by, record);
  }

  /** Puts the payment in suspense under the tenant. */
  async suspend(tx: Transaction, by: By, suspended: WithoutOrder): Promise<SuspenseRecord> {
    const { ledger } = this.#options;
    const { payment, tenant, reason, orderId, arrival } = suspended;
    const { paymentId, amount } = payment;
    const suspenseId = newMerchantPublicId('sus', tenant);
    const { occurredAt } = arrival;
    const content = postings.paymentUnassigned(paymentId, suspenseId, amount);
    const unassigned = ledger.prepare(tenant, { ...content, occurredAt });
    const [record] = await Promise.all([
      openSuspense(tx, by, { ownerId: tenant, suspenseId, paymentId, reason, amount, orderId }, [unassigned]),
      ledger.write(tx, arrival),
      ledger.write(tx, unassigned),
    ]);
    return record;
  }

  /** The order takes what it needs; what is too much is in suspense. */
  async #take(tx: Transaction, by: By, settled: ForOrder, taken: Taken): Promise<void> {
    const { receiving, suspense } = this.#options;
    const { paymentId } = settled.payment;
    const { order, amount, excess, requote } = taken;
    const { merchantId: ownerId, orderId } = order;
    if (!excess) {
      await receiving.receive(tx, by, order, { paymentId, amount, requote });
      return;
    }
    const suspenseId = newMerchantPublicId('sus', ownerId);
    const over = { suspenseId, amount: excess.amount };
    const [record] = await Promise.all([
      openSuspense(tx, by, { ownerId, ...over, paymentId, reason: 'over', orderId }),
      receiving.receive(tx, by, order, { paymentId, amount, excess: over, requote }),
    ]);
    if (excess.isReturned) await suspense.returnToPayer(tx, by, record);
  }

  /** The payer of what no order takes is sealed under the key of the instance, also of an excess. */
  async #addApplications(tx: Transaction, { payment, payer, order, decision }: ForOrder): Promise<void> {
    const { paymentId } = payment;
    const applied = { paymentId, payer, order };
    if (decision.kind === 'suspense' || decision.excess) await addSuspended(this.#options, tx, applied);
    if (decision.kind === 'taken') await addApplied(this.#options, tx, applied);
  }
}

/** The change under the merchant of the order by which money from a shared account came into its books. */
export function recordTakeOver(
  tx: Transaction,
  by: By,
  { paymentId, merchantId, orderId }: { readonly paymentId: PaymentId } & OrderRef,
  arrival: PreparedJournal,
): Promise<void> {
  return recordChange(tx, by, {
    merchantId,
    action: 'payment.taken_over',
    subject: `payment:${paymentId}`,
    details: { orderId },
    journals: [arrival],
  });
}
