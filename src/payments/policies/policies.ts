/** What a merchant wants done with payments that do not match. Policies are data: the decision reads them. Pure. */
import { canonicalJson, type DigestedRow } from '../../changes/row.js';
import type { MerchantId } from '../../ids.js';

/** For each case what can be chosen. */
export const policyChoices = {
  /** Less than is missing. */
  short: ['wait', 'refund', 'suspense'],
  /** More than is missing. The order takes what it needs, and this is about the excess. */
  over: ['refund', 'suspense'],
  /** Booked after the rate was guaranteed. */
  late: ['requote', 'refund', 'suspense'],
  /** The order is paid, and the same amount came again. */
  duplicate: ['refund', 'suspense'],
  /** Another currency than the order's. */
  wrongCurrency: ['refund', 'suspense'],
  /** The order was cancelled, has expired, or is not payable any more. */
  afterEnd: ['refund', 'suspense'],
} as const;

export type PolicyCase = keyof typeof policyChoices;
export type Policies = { readonly [Case in PolicyCase]: (typeof policyChoices)[Case][number] };

/** They hold for a merchant that has declared nothing. */
export const defaultPolicies: Policies = {
  short: 'wait',
  over: 'suspense',
  late: 'requote',
  duplicate: 'suspense',
  wrongCurrency: 'suspense',
  afterEnd: 'suspense',
};

export interface DeclaredPolicies extends Policies {
  /** Counts the declarations; 0 while the defaults hold. */
  readonly version: number;
}

/** Begins the subjects of policies, which are their merchants. */
export const policiesPrefix = 'merchant:';

/** What the log remembers of its row. */
export function digestedPolicies(merchantId: MerchantId, declared: DeclaredPolicies): DigestedRow {
  return { subject: `${policiesPrefix}${merchantId}`, row: [canonicalJson(declared)] };
}
