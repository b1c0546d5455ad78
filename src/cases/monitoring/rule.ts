/**
 * Rules that look at movements after the fact: what they are, and whether one fires at a movement. A rule stops no
 * money; it raises an alert with its facts. Pure.
 */
import type { PublicId } from '../../ids.js';
import { writeDecimal } from '../../money/decimal.js';
import type { PaidMovement } from '../../orders/movements/service.js';

/** An order whose money came, and the person who paid. */
export interface Movement extends Omit<PaidMovement, 'place'> {
  /** Equal for all users of one person. */
  readonly person: string;
}

export const monitoringKinds = [
  'structuring',
  'rapid_in_out',
  'many_to_one',
  'one_to_many',
  'sudden_change',
  'dormant_then_active',
  'geography',
] as const;
export type MonitoringKind = (typeof monitoringKinds)[number];

/** What each kind is told, as whole numbers. `usd` in whole dollars. */
export const parametersOf = {
  structuring: ['days', 'minOrders', 'thresholdUsd', 'withinPercent'],
  rapid_in_out: ['days', 'hours', 'minOrders'],
  many_to_one: ['days', 'minSenders'],
  one_to_many: ['days', 'minRecipients'],
  sudden_change: ['days', 'factor', 'minUsd'],
  dormant_then_active: ['days', 'dormantDays', 'minUsd'],
  geography: ['days', 'minCountries'],
} as const satisfies Readonly<Record<MonitoringKind, readonly string[]>>;

export type ParameterName = (typeof parametersOf)[MonitoringKind][number];
export type Parameters = Readonly<Partial<Record<ParameterName, number>>>;

export interface Terms {
  readonly kind: MonitoringKind;
  readonly parameters: Parameters;
}

export type MonitoringRuleId = PublicId<'mon'>;
export interface MonitoringRule extends Terms {
  readonly ruleId: MonitoringRuleId;
  readonly isEnabled: boolean;
  readonly replayId: PublicId<'rpl'> | undefined;
  readonly version: number;
  readonly updatedAt: Date;
}

/** What was found. Only numbers: an alert names users and orders by their ids. */
export type Facts = Readonly<Record<string, number | string>>;
export interface Fired {
  readonly facts: Facts;
  readonly orderIds: readonly string[];
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** With what a sudden change is compared. */
const usualDays = 180;
/** How long ago somebody who is dormant may have paid. */
const yearDays = 365;
const ordersNamed = 50;

/** How far back a rule looks from a movement. */
export function lookBackMs({ kind, parameters: { days = 0, dormantDays = 0 } }: Terms): number {
  const before = { sudden_change: usualDays, dormant_then_active: dormantDays + yearDays };
  return (days + (kind in before ? before[kind as keyof typeof before] : 0)) * dayMs;
}

/** Alerts about the same subject within this time are one. */
export function quietMs({ parameters: { days = 1 } }: Terms): number {
  return days * dayMs;
}

/** Whom an alert is about: the account for many who pay one, else the person. */
export function subjectOf({ kind }: Terms, movement: Movement): string {
  return kind === 'many_to_one' ? `account:${movement.account}` : `person:${movement.person}`;
}

/** What a rule is told of a subject: what it counts in its window, and before it. */
export interface Seen {
  readonly orders: number;
  readonly usdMinor: bigint;
  /** How often each different one that the rule counts occurs. */
  readonly keys: ReadonlyMap<string, number>;
  readonly before: { readonly orders: number; readonly usdMinor: bigint };
  /** How long nothing was paid before the first movement of the window; infinite when nothing was paid before. */
  readonly silenceMs: number;
  /** The newest of the window, the oldest of them first. */
  lastOrders(atMost: number): string[];
}

/** Which movements of a subject a rule counts, and what it counts different ones of. */
interface Counting {
  readonly counts?: (parameters: Required<Parameters>, movement: Movement) => boolean;
  readonly keyOf?: (movement: Movement) => string | undefined;
}
type Judge = (parameters: Required<Parameters>, movement: Movement, seen: Seen) => Facts | undefined;

/** Whether the rule counts a movement. */
export function counts({ kind, parameters }: Terms, movement: Movement): boolean {
  return rules[kind].counts?.(parameters as Required<Parameters>, movement) ?? true;
}

export function keyOf({ kind }: Terms, movement: Movement): string | undefined {
  return rules[kind].keyOf?.(movement);
}

/** Whether the rule fires at a movement. `seen` is what its subject did up to it, itself included. */
export function firedAt({ kind, parameters }: Terms, movement: Movement, seen: Seen): Fired | undefined {
  const facts = rules[kind].judge(parameters as Required<Parameters>, movement, seen);
  return facts && { facts, orderIds: seen.lastOrders(ordersNamed) };
}

const isBelow = ({ thresholdUsd, withinPercent }: Required<Parameters>, { usdMinor }: Movement) => {
  const top = BigInt(thresholdUsd) * 100n;
  return usdMinor < top && usdMinor >= (top * BigInt(100 - withinPercent)) / 100n;
};

const rules: Readonly<Record<MonitoringKind, Counting & { readonly judge: Judge }>> = {
  /** Several amounts, each a little below a threshold. */
  structuring: {
    counts: isBelow,
    judge(parameters, movement, { orders, usdMinor }) {
      const { days, minOrders, thresholdUsd } = parameters;
      return isBelow(parameters, movement) && orders >= minOrders
        ? { orders, usd: centsText(usdMinor), thresholdUsd, days }
        : undefined;
    },
  },
  /** Money that comes and soon goes back where it came from. */
  rapid_in_out: {
    counts: ({ hours }, { paidAt, wentBackAt }) =>
      wentBackAt !== undefined && wentBackAt.getTime() - paidAt.getTime() <= hours * hourMs,
    judge: ({ days, hours, minOrders }, _movement, { orders, usdMinor }) =>
      orders >= minOrders ? { orders, usd: centsText(usdMinor), hours, days } : undefined,
  },
  many_to_one: {
    keyOf: ({ person }) => person,
    judge: ({ days, minSenders }, movement, { orders, usdMinor, keys }) =>
      movement.account !== undefined && keys.size >= minSenders
        ? { senders: keys.size, orders, usd: centsText(usdMinor), days }
        : undefined,
  },
  one_to_many: {
    keyOf: ({ account }) => account,
    judge: ({ days, minRecipients }, _movement, { orders, usdMinor, keys }) =>
      keys.size >= minRecipients ? { recipients: keys.size, orders, usd: centsText(usdMinor), days } : undefined,
  },
  /** More than so many times what is usual in as many days. A person without a history changes nothing. */
  sudden_change: {
    judge({ days, factor, minUsd }, _movement, { usdMinor, before }) {
      const usual = (before.usdMinor * BigInt(days)) / BigInt(usualDays);
      return before.orders > 0 && usdMinor >= BigInt(minUsd) * 100n && usdMinor > usual * BigInt(factor)
        ? { usd: centsText(usdMinor), usualUsd: centsText(usual), factor, days }
        : undefined;
    },
  },
  dormant_then_active: {
    judge({ days, dormantDays, minUsd }, _movement, { orders, usdMinor, before, silenceMs }) {
      const isAwake = silenceMs < dormantDays * dayMs;
      return before.orders > 0 && !isAwake && usdMinor >= BigInt(minUsd) * 100n
        ? { usd: centsText(usdMinor), orders, dormantDays, days }
        : undefined;
    },
  },
  geography: {
    keyOf: ({ country }) => country,
    judge: ({ days, minCountries }, _movement, { orders, usdMinor, keys }) =>
      keys.size >= minCountries
        ? { countries: [...keys.keys()].sort().join(' '), orders, usd: centsText(usdMinor), days }
        : undefined,
  },
};

function centsText(cents: bigint): string {
  return writeDecimal(cents, 2);
}
