/**
 * The refusals of orders that a user's KYC level does not allow. They say what is left, and what the next level
 * unlocks.
 */
import { RemesaError } from '../../errors.js';
import type { KycLevel } from '../../kyc-level.js';
import type { Limit, LimitName } from './limits.js';
import { dollars, formOf, type UserLimits, viewOfLimit, viewOfLimits } from './user-limits.js';

export function levelRequired(requiredLevel: KycLevel, { country }: UserLimits): RemesaError {
  const message = `Sending this amount requires ${requiredLevel}, which the user does not hold.`;
  return new RemesaError('forbidden', 'kyc_level_required', message, {
    members: { requiredLevel, ...formOf(requiredLevel, country) },
  });
}

/** `exceeded` are those of the limits that an order of this value exceeds. */
export function limitExceeded(userLimits: UserLimits, exceeded: readonly Limit[], usdMinor: bigint): RemesaError {
  const { kycLevel, nextLevel } = viewOfLimits(userLimits);
  const message = explanation(userLimits.level, exceeded, usdMinor);
  return new RemesaError('impossible', 'limit_exceeded', message, {
    members: { kycLevel, amountUsd: dollars(usdMinor), exceeded: exceeded.map(viewOfLimit), nextLevel },
  });
}

/** Without a rate the limits cannot be checked, so nothing is accepted. */
export function noUsdRate(currency: string): RemesaError {
  const message = `No rate from ${currency} to USD is recent enough to check the limits.`;
  return new RemesaError('unavailable', 'rates_unavailable', message, { retryAfterSeconds: 60 });
}

const scopes: Readonly<Record<LimitName, string>> = {
  amount_per_order: 'per order',
  amount_24h: 'in 24 hours',
  amount_30d: 'in 30 days',
  amount_365d: 'in 365 days',
  orders_24h: 'in 24 hours',
  orders_30d: 'in 30 days',
  unpaid_orders: 'that wait for payment',
};

function explanation(level: KycLevel | undefined, exceeded: readonly Limit[], usdMinor: bigint): string {
  if (level === undefined) return 'The user holds no KYC level, so nothing can be sent.';
  return [`The order counts for ${dollars(usdMinor)} USD.`, ...exceeded.map(sentence)].join(' ');
}

function sentence({ name, unit, max, left }: Limit): string {
  if (unit === 'orders') return `The limit of ${max} orders ${scopes[name]} is reached.`;
  if (left === max) return `The limit is ${dollars(max)} USD ${scopes[name]}.`;
  return `Of ${dollars(max)} USD ${scopes[name]}, ${dollars(left)} USD are left.`;
}
