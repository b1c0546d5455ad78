/**
 * Writes what was decided about a payment: the order takes it, or it is in suspense. Always one merchant's rows: those of
 * the order's merchant, or those of the account's owner when there is no order.
 */
import { recordAudit } from '../audit/service.js';
import type { By } from '../caller.js';
import { newMerchantPublicId, type TenantId } from '../ids.js';
import type { JournalContent } from '../ledger/journal.js';
import * as postings from '../ledger/postings.js';
import type { LedgerService } from '../ledger/service.js';
import type { MovementService } from '../orders/movement-service.js';
import type { Order, OrderId } from '../orders/order.js';
import type { Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { addApplied, addSuspended } from './applications.js';
import type { Decision } from './matching.js';
import type { Payer, Payment, SuspenseReason } from './payment.js';
import type { InstanceSealer } from './sealed.js';
import { addSuspense } from './suspense/suspense-store.js';

export interface SettlementOptions {
  readonly ledger: LedgerService;
  readonly movements: MovementService;
  readonly users: UserService;
  readonly sealer: InstanceSealer;
}

/** A payment that names an order, which the caller has locked. */
export interface ForOrder {
  readonly payment: Payment;
  readonly payer: Payer;
  readonly order: Order;
  readonly decision: Decision;
  /** How the money came into the books of the order's merchant. */
  readonly arrival: JournalContent;
}

export interface WithoutOrder {
  readonly payment: Payment;
  readonly tenant: TenantId;
  readonly reason: SuspenseReason;
  readonly orderId: OrderId | undefined;
  readonly arrival: JournalContent;
  /** By the tenant's clock. */
  readonly at: Date;
}

export class PaymentSettlement {
  constructor(readonly options: SettlementOptions) {}

  /** Applies the payment to its order, or puts it in suspense under the order's merchant. Each payment once. */
  async settle(tx: Transaction, by: By, settled: ForOrder): Promise<void> {
    const { payment, order, decision, arrival } = settled;
    const { paymentId, amount } = payment;
    const { merchantId, orderId } = order;
    const add = decision.kind === 'suspense' ? addSuspended : addApplied;
    const at = await add(this.options, tx, { ...settled, paymentId });
    if (decision.kind === 'suspense') {
      const { reason } = decision;
      return this.suspend(tx, by, { payment, tenant: merchantId, reason, orderId, arrival, at });
    }
    await Promise.all([
      this.book(tx, merchantId, at, [arrival]),
      this.options.movements.receivePayment(tx, by, order, { paymentId, amount }),
    ]);
  }

  /** Puts the payment in suspense under the tenant. */
  async suspend(tx: Transaction, by: By, suspended: WithoutOrder): Promise<void> {
    const { payment, tenant, reason, orderId, arrival, at } = suspended;
    const { paymentId, amount } = payment;
    const suspenseId = newMerchantPublicId('sus', tenant);
    const unassigned = postings.paymentUnassigned(paymentId, suspenseId, amount);
    await Promise.all([
      addSuspense(tx, { ownerId: tenant, suspenseId, paymentId, reason, amount, orderId }),
      this.book(tx, tenant, at, [arrival, unassigned]),
      recordAudit(tx, tenant, {
        ...by,
        action: 'suspense.opened',
        subject: `suspense:${suspenseId}`,
        details: { paymentId, reason },
      }),
    ]);
  }

  async book(
    tx: Transaction,
    tenant: TenantId,
    occurredAt: Date,
    journals: readonly JournalContent[],
  ): Promise<void> {
    const { ledger } = this.options;
    await Promise.all(journals.map((content) => ledger.post(tx, tenant, { ...content, occurredAt })));
  }
}
