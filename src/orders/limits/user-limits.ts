/** The limits of one user, and how callers see them. */
import { zoneOf } from '../../kyc/cases/zones.js';
import type { KycLevel } from '../../kyc-level.js';
import { writeDecimal } from '../../money/decimal.js';
import type { Limit } from './limits.js';

/** What the user may send, and how much of it is used. */
export interface UserLimits {
  /** The highest level that the user holds. Undefined when there is none. */
  readonly level: KycLevel | undefined;
  /** The user's country, by ISO 3166-1 in two letters. */
  readonly country: string;
  readonly limits: readonly Limit[];
  /** The corridor of each order that waits for payment, as `pairKey` writes it. */
  readonly unpaidPairs: readonly string[];
  /** Undefined at the highest level. */
  readonly next: NextLevel | undefined;
}

/** A level that the user could reach, with what would be left then. */
export interface NextLevel {
  readonly level: KycLevel;
  readonly limits: readonly Limit[];
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

export function viewOfLimit({ name, unit, max, used, left }: Limit) {
  const figure = (value: bigint) => (unit === 'USD' ? dollars(value) : Number(value));
  return { name, unit, max: figure(max), used: figure(used), left: figure(left) };
}

/** Exact up to fifteen digits. */
export function dollars(cents: bigint): number {
  return Number(writeDecimal(cents, 2));
}

/** Where the user can reach the level. Null for a country outside of all zones. */
export function formOf(level: KycLevel, country: string): { zone: string | null; formPath: string | null } {
  const zone = zoneOf(country) ?? null;
  return { zone, formPath: zone && `/kyc/register/${level}/${zone}` };
}
