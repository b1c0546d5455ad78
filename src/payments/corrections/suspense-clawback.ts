/** The payer's bank took back a payment that is in suspense as a whole. */
import type { By } from '../../caller.js';
import { publicId, tenantOfPublicId } from '../../ids.js';
import * as postings from '../../ledger/postings.js';
import { amount, compare } from '../../money/amount.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Payment } from '../payment.js';
import { findPayment } from '../store.js';
import { type ChangeOptions, changeSuspense, requireAllowed } from '../suspense/changes.js';
import { suspenseChanged } from '../suspense/refusals.js';
import type { SuspenseRecord } from '../suspense/suspense.js';
import { findSuspenseOfPayment, lockSuspense } from '../suspense/suspense-store.js';
import { placeOfMoney } from '../suspense/transitions.js';
import type { BankClawback } from './correction.js';
import { notReversible } from './refusals.js';
import { addReversal } from './reversal-store.js';

/** The record that has all of the payment; undefined when an order has it, or had a part of it. */
export async function findRecord(database: Queryable, id: string): Promise<SuspenseRecord | undefined> {
  const payment = await paymentOf(database, id);
  if (!payment) return undefined;
  const tenants = new Set([payment.order?.merchantId ?? payment.ownerId, payment.ownerId]);
  for (const tenant of tenants) {
    const record = await findSuspenseOfPayment(database, tenant, payment.paymentId);
    if (record && compare(record.amount, payment.amount) === 0) return record;
  }
  return undefined;
}

/**
 * Throws `suspense_changed`, `suspense_transition_not_allowed`, and `payment_not_reversible` for money that was matched in
 * part or that arrived on an account of another owner.
 */
export async function clawBackSuspense(
  changes: ChangeOptions,
  tx: Transaction,
  by: By,
  { record: found, clawback }: { readonly record: SuspenseRecord; readonly clawback: BankClawback },
): Promise<Payment> {
  const record = await lockSuspense(tx, found);
  const payment = await paymentOf(tx, found.paymentId);
  if (!record || !payment) throw new Error(`the suspense record ${found.suspenseId} is gone`);
  if (record.version !== clawback.version) throw suspenseChanged(record);
  requireAllowed(record, 'claw_back');
  const { ownerId, suspenseId, paymentId, remaining: taken } = record;
  const place = placeOfMoney(record.state);
  if (!place || compare(taken, payment.amount) !== 0) throw notReversible('An order has a part of it.');
  if (payment.ownerId !== ownerId) throw notReversible('It arrived on an account that merchants share.');
  const { accountId: bank } = payment;
  const remaining = amount(taken.currency, 0n);
  await changeSuspense(changes, tx, record, {
    ...{ by, event: 'claw_back', moved: taken, remaining, note: clawback.note },
    journals: [postings.clawback(paymentId, suspenseId, place, { taken, bank })],
  });
  await addReversal(tx, {
    ...{ ownerId, paymentId, kind: 'clawback', orderId: undefined, amount: taken },
    ...{ lost: undefined, booking: clawback },
  });
  return payment;
}

async function paymentOf(database: Queryable, id: string): Promise<Payment | undefined> {
  const paymentId = publicId('pay', id);
  return paymentId && findPayment(database, tenantOfPublicId(paymentId), paymentId);
}
