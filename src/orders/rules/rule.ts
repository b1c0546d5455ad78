/** Rules that put a paid order under review: what they are, and which of them concern an order. Pure. */
import type { MerchantId, PublicId } from '../../ids.js';
import type { Order } from '../order/order.js';

export type RuleId = PublicId<'rul'>;

/** An order of this value or more: in US dollars, as limits count it, or in the currency that is paid. */
export type AmountParameters = { readonly fromUsd: number } | { readonly from: number; readonly currency: string };

/** More orders of a user, or more US dollars, than this within so many hours. At least one of the two is given. */
export interface VelocityParameters {
  readonly hours: number;
  readonly maxOrders?: number;
  readonly maxUsd?: number;
}

/** This value or more to an account that the user has not been paying for longer than so many days. */
export interface NewBeneficiaryParameters {
  readonly fromUsd: number;
  /** 0: only until the first payout has arrived. */
  readonly days: number;
}

/** More users than this have paid the same account within so many days. */
export interface ManySendersParameters {
  readonly days: number;
  readonly maxSenders: number;
}

/** A kind with the parameters that belong to it. */
export type RuleTerms =
  | { readonly kind: 'amount'; readonly parameters: AmountParameters }
  | { readonly kind: 'velocity'; readonly parameters: VelocityParameters }
  | { readonly kind: 'new_beneficiary'; readonly parameters: NewBeneficiaryParameters }
  | { readonly kind: 'many_senders'; readonly parameters: ManySendersParameters };

export type RuleKind = RuleTerms['kind'];
export const ruleKinds = ['amount', 'velocity', 'new_beneficiary', 'many_senders'] as const satisfies RuleKind[];

export interface RuleScope {
  /** Undefined: all merchants. */
  readonly merchantId: MerchantId | undefined;
  /** Such as `EUR-MXN`. Undefined: all corridors. */
  readonly corridor: string | undefined;
}

export type ReviewRule = RuleTerms &
  RuleScope & {
    readonly ruleId: RuleId;
    readonly isEnabled: boolean;
    readonly version: number;
    readonly updatedAt: Date;
  };

/** The rules that this order must pass. */
export function rulesFor(
  rules: readonly ReviewRule[],
  { merchantId, amountIn, amountOut }: Pick<Order, 'merchantId' | 'amountIn' | 'amountOut'>,
): ReviewRule[] {
  const corridor = `${amountIn.currency}-${amountOut.currency}`;
  return rules.filter(
    (rule) =>
      rule.isEnabled && (rule.merchantId ?? merchantId) === merchantId && (rule.corridor ?? corridor) === corridor,
  );
}

/**
 * The rules of a new instance: what a compliance officer would look at anyway. In the sandbox they are disabled,
 * because developers send many orders to the same test account.
 */
export const defaultRules: readonly RuleTerms[] = [
  { kind: 'amount', parameters: { fromUsd: 10_000 } },
  { kind: 'velocity', parameters: { hours: 24, maxOrders: 5 } },
  { kind: 'new_beneficiary', parameters: { fromUsd: 3000, days: 0 } },
  { kind: 'many_senders', parameters: { days: 30, maxSenders: 5 } },
];
