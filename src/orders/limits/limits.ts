/**
 * How much a user may send. The limits are data: by KYC level an amount per order, and amounts and numbers of orders in
 * windows that end now. All amounts are US cents.
 */
import { type KycLevel, kycLevels } from '../../kyc-level.js';

/** In hours, because a day is not always 24 hours long where the clocks change. */
export const windowHours = { '24h': 24, '30d': 30 * 24, '365d': 365 * 24 } as const;
export type Window = keyof typeof windowHours;

export interface LevelLimits {
  readonly amountPerOrder: bigint;
  readonly amount: Readonly<Record<Window, bigint>>;
  readonly orders: Readonly<Record<CountedWindow, number>>;
}

/** The windows in which orders are also counted. */
export type CountedWindow = '24h' | '30d';

export type LimitTable = Readonly<Record<KycLevel, LevelLimits>>;

/** A user may have so many orders that wait for payment, whatever the level. A corridor may allow fewer. */
const maxUnpaidOrders = 10;

/** What a user's orders have used up. */
export interface Usage {
  readonly amount: Readonly<Record<Window, bigint>>;
  readonly orders: Readonly<Record<CountedWindow, number>>;
  /** The corridor of each order that waits for payment, as `pairKey` writes it. */
  readonly unpaidPairs: readonly string[];
}

export const limitNames = [
  'amount_per_order',
  'amount_24h',
  'amount_30d',
  'amount_365d',
  'orders_24h',
  'orders_30d',
  'unpaid_orders',
] as const;
export type LimitName = (typeof limitNames)[number];

/** One limit, and how much of it is used: US cents, or a number of orders. */
export interface Limit {
  readonly name: LimitName;
  readonly unit: 'USD' | 'orders';
  readonly max: bigint;
  readonly used: bigint;
  /** Never negative, also when a level or a limit was lowered since. */
  readonly left: bigint;
}

/** Without a level nothing may be sent. */
const nothing: LevelLimits = {
  amountPerOrder: 0n,
  amount: { '24h': 0n, '30d': 0n, '365d': 0n },
  orders: { '24h': 0, '30d': 0 },
};

/** All limits of a level, in the order of `limitNames`. */
export function limitsOf(table: LimitTable, level: KycLevel | undefined, usage: Usage): Limit[] {
  const { amountPerOrder, amount, orders } = level ? table[level] : nothing;
  return [
    limitOf('amount_per_order', amountPerOrder, 0n),
    limitOf('amount_24h', amount['24h'], usage.amount['24h']),
    limitOf('amount_30d', amount['30d'], usage.amount['30d']),
    limitOf('amount_365d', amount['365d'], usage.amount['365d']),
    limitOf('orders_24h', orders['24h'], usage.orders['24h']),
    limitOf('orders_30d', orders['30d'], usage.orders['30d']),
    limitOf('unpaid_orders', maxUnpaidOrders, usage.unpaidPairs.length),
  ];
}

/** The limits that one more order of this value would exceed. */
export function exceededBy(limits: readonly Limit[], valueUsdCents: bigint): Limit[] {
  return limits.filter(({ unit, left }) => left < (unit === 'USD' ? valueUsdCents : 1n));
}

/** The limit of one corridor on unpaid orders. */
export function unpaidLimitOf(maxInCorridor: number, unpaidInCorridor: number): Limit {
  return limitOf('unpaid_orders', maxInCorridor, unpaidInCorridor);
}

/** Undefined for the highest level. */
export function levelAfter(level: KycLevel | undefined): KycLevel | undefined {
  return kycLevels[level === undefined ? 0 : kycLevels.indexOf(level) + 1];
}

function limitOf(name: LimitName, max: bigint | number, used: bigint | number): Limit {
  const left = BigInt(max) - BigInt(used);
  return {
    name,
    unit: name.startsWith('amount') ? 'USD' : 'orders',
    max: BigInt(max),
    used: BigInt(used),
    left: left > 0n ? left : 0n,
  };
}
