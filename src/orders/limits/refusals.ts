/** The refusals of orders that a user's KYC level does not allow. They say what is left, and what the next level unlocks. */
import { RemesaError } from '../../errors.js';
import { zoneOf } from '../../kyc/zones.js';
import type { KycLevel } from '../../kyc-level.js';
import { writeDecimal } from '../../money/decimal.js';
import type { Limit, LimitName } from './limits.js';

/** Whose limits they are. */
export interface Holder {
  /** Undefined when the user holds no level. */
  readonly level: KycLevel | undefined;
  /** The user's country, by ISO 3166-1 in two letters. */
  readonly country: string;
}

/** What the user may send, and how much of it is used. */
export interface UserLimits extends Holder {
  readonly limits: readonly Limit[];
  /** Undefined at the highest level. */
  readonly next: NextLevel | undefined;
}

/** A level that the user could reach, with what would be left then. */
export interface NextLevel {
  readonly level: KycLevel;
  readonly limits: readonly Limit[];
}

export function levelRequired(requiredLevel: KycLevel, { country }: Holder): RemesaError {
  const message = `Sending this amount requires ${requiredLevel}, which the user does not hold.`;
  return new RemesaError('forbidden', 'kyc_level_required', message, {
    members: { requiredLevel, ...formOf(requiredLevel, country) },
  });
}

/** `exceeded` are those of the limits that an order of this value exceeds. */
export function limitExceeded(
  userLimits: UserLimits,
  exceeded: readonly Limit[],
  usdMinor: bigint,
): RemesaError {
  const { kycLevel, nextLevel } = viewOfLimits(userLimits);
  const message = exceeded.map((limit) => sentence(limit, usdMinor)).join(' ');
  return new RemesaError('impossible', 'limit_exceeded', message, {
    members: { kycLevel, amountUsd: dollars(usdMinor), exceeded: exceeded.map(viewOfLimit), nextLevel },
  });
}

/** Without a rate the limits cannot be checked, so nothing is accepted. */
export function noUsdRate(currency: string): RemesaError {
  const message = `No rate from ${currency} to USD is recent enough to check the limits.`;
  return new RemesaError('unavailable', 'rates_unavailable', message, { retryAfterSeconds: 60 });
}

export function viewOfLimits({ level, country, limits, next }: UserLimits) {
  return {
    kycLevel: level ?? null,
    limits: limits.map(viewOfLimit),
    nextLevel: next
      ? { kycLevel: next.level, ...formOf(next.level, country), limits: next.limits.map(viewOfLimit) }
      : null,
  };
}

function viewOfLimit({ name, unit, max, used, left }: Limit) {
  const figure = (value: bigint) => (unit === 'USD' ? dollars(value) : Number(value));
  return { name, unit, max: figure(max), used: figure(used), left: figure(left) };
}

/** Exact up to fifteen digits. */
export function dollars(cents: bigint): number {
  return Number(writeDecimal(cents, 2));
}

/** Where the user can reach the level. Null for a country outside of all zones. */
function formOf(level: KycLevel, country: string): { zone: string | null; formPath: string | null } {
  const zone = zoneOf(country) ?? null;
  return { zone, formPath: zone && `/kyc/register/${level}/${zone}` };
}

const periods: Readonly<Record<LimitName, string>> = {
  amount_per_order: 'in one order',
  amount_24h: 'in 24 hours',
  amount_30d: 'in 30 days',
  amount_365d: 'in 365 days',
  orders_24h: 'in 24 hours',
  orders_30d: 'in 30 days',
  unpaid_orders: 'that wait for payment',
};

function sentence({ name, unit, max, left }: Limit, usdMinor: bigint): string {
  if (unit === 'orders') return `At most ${max} orders ${periods[name]} are possible.`;
  const rest = left === max ? '' : ` ${dollars(left)} USD of them are left.`;
  return `The order is worth ${dollars(usdMinor)} USD. At most ${dollars(max)} USD ${periods[name]} are possible.${rest}`;
}
