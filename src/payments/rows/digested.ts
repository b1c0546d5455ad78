/** What identifies the content of payments, suspense records, pay-in accounts and policies. Pure. */
import { canonicalJson, type DigestedRow } from '../../changes/row.js';
import type { MerchantId } from '../../ids.js';
import type { StoredAccount } from '../accounts/payin-account.js';
import type { Payment } from '../payment.js';
import type { DeclaredPolicies } from '../policies/policies.js';
import type { SuspenseRecord } from '../suspense/suspense.js';

export const prefixes = {
  payment: 'payment:',
  suspense: 'suspense:',
  account: 'payin_account:',
  policies: 'merchant:',
} as const;

export function digestedPayment(payment: Payment): DigestedRow {
  const { amount, importedLine, order } = payment;
  return {
    subject: `${prefixes.payment}${payment.paymentId}`,
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

export function digestedSuspense(record: Omit<SuspenseRecord, 'openedAt' | 'changedAt'>): DigestedRow {
  const { amount, remaining } = record;
  return {
    subject: `${prefixes.suspense}${record.suspenseId}`,
    row: [
      record.paymentId,
      record.reason,
      amount.currency,
      amount.minor,
      remaining.minor,
      record.orderId,
      record.handedTo,
      record.despite.join(),
      record.state,
      record.version,
    ],
  };
}

export function digestedAccount(account: StoredAccount): DigestedRow {
  const { ownerId, currency, holder, bankName, country, timeZone, details, isEnabled, version } = account;
  return {
    subject: `${prefixes.account}${account.accountId}`,
    row: [ownerId, currency, holder, bankName, country, timeZone, canonicalJson(details), isEnabled, version],
  };
}

export function digestedPolicies(merchantId: MerchantId, declared: DeclaredPolicies): DigestedRow {
  return { subject: `${prefixes.policies}${merchantId}`, row: [canonicalJson(declared)] };
}
