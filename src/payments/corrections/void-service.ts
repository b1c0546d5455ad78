/**
 * Two operators void a payment that never arrived like this, or all that a file recorded. What was booked is taken back
 * from where the money is, and the true line can be recorded afterwards. Where the account is shared, its owner voids
 * the payment in a transaction of its own, by a job.
 */
import { freeBankLines } from '../../bank/lines/service.js';
import type { By } from '../../caller.js';
import { recordChange, requireUntouched } from '../../changes/service.js';
import { type TenantId, tenantOfPublicId } from '../../ids.js';
import type { JournalContent, PreparedJournal } from '../../ledger/journal.js';
import * as postings from '../../ledger/postings.js';
import { amount, isZero } from '../../money/amount.js';
import type { OrderCorrections } from '../../orders/corrections/service.js';
import { lockOrderById } from '../../orders/order/finding.js';
import type { OrderId } from '../../orders/order/order.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Payment, PaymentId } from '../payment.js';
import { digestedPayment } from '../payment.js';
import type { PaymentLocation } from '../shares/payment-location.js';
import { findPayment, markVoided } from '../store.js';
import { type ChangeOptions, changeSuspense } from '../suspense/changes.js';
import { suspenseChanged } from '../suspense/refusals.js';
import { lockSuspense } from '../suspense/suspense-store.js';
import { type Correction, changed, locate, notReversible } from './correction.js';
import { addReversal, listReversalsOf, markHandedBack } from './reversal-store.js';
import { obstacleToVoid } from './void-rules.js';

export interface VoidOptions extends ChangeOptions {
  readonly users: UserService;
  readonly orders: OrderCorrections;
}

/** Without a version: as it is now. */
type Void = Pick<Correction, 'note'> & Partial<Pick<Correction, 'version'>>;

export const handBackJob = 'payments.hand-back';

export class VoidService {
  readonly #options: VoidOptions;

  constructor(options: VoidOptions) {
    this.#options = options;
  }

  /**
   * Throws `payment_not_found`, `payment_changed`, `suspense_changed`, `order_transition_not_allowed` once the order
   * has gone on, and `payment_not_reversible` once the money has.
   */
  async void(tx: Transaction, by: By, id: string, { note, version }: Void): Promise<Payment> {
    const { found, locked } = await this.#lock(tx, id);
    const { payment, tenant, shares, record } = found;
    const { paymentId, ownerId, amount: voided } = payment;
    await requireUntouched(tx, ownerId, digestedPayment(payment));
    const obstacle = obstacleToVoid(found, await listReversalsOf(tx, tenant, paymentId));
    if (obstacle) throw notReversible(obstacle);
    if (version !== undefined && locked && locked.order.version !== version) throw changed(locked.order);
    if (version !== undefined && !locked && record && record.version !== version) throw suspenseChanged(record);
    const [share] = shares;
    if (share && locked) {
      await this.#options.orders.voidPayment(tx, by, locked, { paymentId, amount: share.amount, note });
    }
    if (record && !isZero(record.remaining)) {
      const { suspenseId, remaining: moved } = record;
      const remaining = amount(moved.currency, 0n);
      const journals = [postings.paymentVoided(paymentId, suspenseId, 'suspense', moved)];
      await changeSuspense(this.#options, tx, record, { by, event: 'void', moved, remaining, note, journals });
    }
    const isOwn = tenant === ownerId;
    const journal = isOwn
      ? postings.movementVoided(paymentId, payment.accountId, voided)
      : postings.handedOver(paymentId, voided);
    const journals = await this.#book(tx, tenant, [journal]);
    await addReversal(tx, {
      ownerId: tenant,
      paymentId,
      kind: 'void',
      orderId: share?.orderId,
      amount: voided,
      lost: undefined,
      booking: undefined,
    });
    const details = share ? { orderId: share.orderId } : {};
    if (isOwn) {
      const voidedPayment = await this.#markVoided(tx, by, payment, { journals, details });
      await markHandedBack(tx, tenant, paymentId);
      return voidedPayment ?? payment;
    }
    await recordChange(tx, by, {
      merchantId: tenant,
      action: 'payment.voided',
      subject: `payment:${paymentId}`,
      details,
      journals,
    });
    tx.wake(handBackJob);
    return payment;
  }

  /** The owner of a shared account voids a payment that its merchant has voided. Doing it again changes nothing. */
  async takeBack(tx: Transaction, by: By, paymentId: PaymentId): Promise<void> {
    const ownerId = tenantOfPublicId(paymentId);
    const payment = await findPayment(tx, ownerId, paymentId);
    if (!payment) throw new Error(`the payment ${paymentId} is gone`);
    if (payment.voidedAt) return;
    await requireUntouched(tx, ownerId, digestedPayment(payment));
    const { accountId, amount: voided } = payment;
    const journals = await this.#book(tx, ownerId, [
      postings.takenOver(paymentId, voided),
      postings.movementVoided(paymentId, accountId, voided),
    ]);
    const voidedPayment = await this.#markVoided(tx, by, payment, { journals, details: {} });
    if (!voidedPayment) throw new Error(`the payment ${paymentId} was voided at the same time`);
  }

  /** Its owner has voided it too. */
  async endHandBack(tx: Transaction, merchantId: TenantId, paymentId: PaymentId): Promise<void> {
    await markHandedBack(tx, merchantId, paymentId);
  }

  /** Locks the order that has the payment, then its record, and looks again where the money is. */
  async #lock(tx: Transaction, id: string): Promise<{ found: PaymentLocation; locked: Locked | undefined }> {
    const [share] = (await locate(tx, id)).shares;
    const locked = share && (await lockOrderById(tx, this.#options.users, share.orderId));
    const again = await locate(tx, id);
    if (again.record) await lockSuspense(tx, again.record);
    const found = await locate(tx, id);
    if (locked && found.shares[0] && found.shares[0].orderId !== locked.order.orderId) throw changed(locked.order);
    if (!locked && found.shares.length > 0) throw notReversible('An order has just taken it. Try again.');
    return { found, locked };
  }

  /** Under the owner of the account, whose change has the row. Returns undefined when it was voided before. */
  async #markVoided(
    tx: Transaction,
    by: By,
    payment: Payment,
    {
      journals,
      details,
    }: { readonly journals: readonly PreparedJournal[]; readonly details: { readonly orderId?: OrderId } },
  ): Promise<Payment | undefined> {
    const voided = await markVoided(tx, payment);
    if (!voided) return undefined;
    await freeBankLines(tx, `payment:${payment.paymentId}`, 'credit');
    await recordChange(tx, by, {
      ...digestedPayment(voided),
      rowBefore: digestedPayment(payment).row,
      merchantId: payment.ownerId,
      action: 'payment.voided',
      version: 2,
      details,
      journals,
    });
    return voided;
  }

  async #book(tx: Transaction, tenant: TenantId, journals: readonly JournalContent[]): Promise<PreparedJournal[]> {
    const occurredAt = await readMerchantClock(tx, tenant);
    return Promise.all(journals.map((content) => this.#options.ledger.post(tx, tenant, { ...content, occurredAt })));
  }
}

type Locked = Awaited<ReturnType<typeof lockOrderById>>;
