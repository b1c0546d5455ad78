/**
 * Rules that look at movements after the fact: what they are, and whether one fires at a movement. A rule stops no
 * money; it raises an alert with its facts. Pure.
 */
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import { writeDecimal } from '../../money/decimal.js';

/** An order whose money came. */
export interface Movement {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly orderId: string;
  /** Equal for all users of one person. */
  readonly person: string;
  /** The account that is paid, as a digest; undefined when it is not kept any more. */
  readonly account: string | undefined;
  readonly country: string;
  readonly usdMinor: bigint;
  readonly paidAt: Date;
  /** When the money went back to whoever paid it; undefined otherwise. */
  readonly wentBackAt: Date | undefined;
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

/**
 * Whether the rule fires at a movement. `ofPerson` and `toAccount` are the movements up to it, itself included, as far
 * back as the rule looks.
 */
export function firedAt(
  terms: Terms,
  movement: Movement,
  history: { readonly ofPerson: readonly Movement[]; readonly toAccount: readonly Movement[] },
): Fired | undefined {
  const recent = (all: readonly Movement[]) => all.filter((each) => isWithin(each, movement, terms.parameters.days));
  return judges[terms.kind](terms.parameters as Required<Parameters>, movement, {
    recent: recent(history.ofPerson),
    toAccount: recent(history.toAccount),
    all: history.ofPerson,
  });
}

interface History {
  readonly recent: readonly Movement[];
  readonly toAccount: readonly Movement[];
  readonly all: readonly Movement[];
}
type Judge = (parameters: Required<Parameters>, movement: Movement, history: History) => Fired | undefined;

const judges: Readonly<Record<MonitoringKind, Judge>> = {
  /** Several amounts, each a little below a threshold. */
  structuring({ days, minOrders, thresholdUsd, withinPercent }, movement, { recent }) {
    const top = BigInt(thresholdUsd) * 100n;
    const bottom = (top * BigInt(100 - withinPercent)) / 100n;
    const isBelow = ({ usdMinor }: Movement) => usdMinor < top && usdMinor >= bottom;
    const found = recent.filter(isBelow);
    return isBelow(movement) && found.length >= minOrders
      ? fired(found, { orders: found.length, usd: dollars(found), thresholdUsd, days })
      : undefined;
  },
  /** Money that comes and soon goes back where it came from. */
  rapid_in_out({ days, hours, minOrders }, _movement, { recent }) {
    const found = recent.filter(
      ({ paidAt, wentBackAt }) => wentBackAt && wentBackAt.getTime() - paidAt.getTime() <= hours * hourMs,
    );
    return found.length >= minOrders
      ? fired(found, { orders: found.length, usd: dollars(found), hours, days })
      : undefined;
  },
  many_to_one({ days, minSenders }, movement, { toAccount }) {
    const senders = new Set(toAccount.map(({ person }) => person)).size;
    return movement.account !== undefined && senders >= minSenders
      ? fired(toAccount, { senders, orders: toAccount.length, usd: dollars(toAccount), days })
      : undefined;
  },
  one_to_many({ days, minRecipients }, _movement, { recent }) {
    const recipients = new Set(recent.flatMap(({ account }) => account ?? [])).size;
    return recipients >= minRecipients
      ? fired(recent, { recipients, orders: recent.length, usd: dollars(recent), days })
      : undefined;
  },
  /** More than so many times what is usual in as many days. A person without a history changes nothing. */
  sudden_change({ days, factor, minUsd }, movement, { recent, all }) {
    const before = all.filter((each) => !isWithin(each, movement, days));
    const usual = (sum(before) * BigInt(days)) / BigInt(usualDays);
    const now = sum(recent);
    return before.length > 0 && now >= BigInt(minUsd) * 100n && now > usual * BigInt(factor)
      ? fired(recent, { usd: dollars(recent), usualUsd: centsText(usual), factor, days })
      : undefined;
  },
  dormant_then_active({ days, dormantDays, minUsd }, movement, { recent, all }) {
    const [first = movement] = recent;
    const before = all.filter((each) => !isWithin(each, movement, days));
    const isAwake = before.some((each) => isWithin(each, first, dormantDays));
    return before.length > 0 && !isAwake && sum(recent) >= BigInt(minUsd) * 100n
      ? fired(recent, { usd: dollars(recent), orders: recent.length, dormantDays, days })
      : undefined;
  },
  geography({ days, minCountries }, _movement, { recent }) {
    const countries = [...new Set(recent.map(({ country }) => country))].sort();
    return countries.length >= minCountries
      ? fired(recent, { countries: countries.join(' '), orders: recent.length, usd: dollars(recent), days })
      : undefined;
  },
};

function isWithin({ paidAt }: Movement, until: Movement, days = 1): boolean {
  return paidAt <= until.paidAt && until.paidAt.getTime() - paidAt.getTime() < days * dayMs;
}

function fired(movements: readonly Movement[], facts: Facts): Fired {
  return { facts, orderIds: movements.slice(-ordersNamed).map(({ orderId }) => orderId) };
}

function sum(movements: readonly Movement[]): bigint {
  return movements.reduce((total, { usdMinor }) => total + usdMinor, 0n);
}

function dollars(movements: readonly Movement[]): string {
  return centsText(sum(movements));
}

function centsText(cents: bigint): string {
  return writeDecimal(cents, 2);
}
