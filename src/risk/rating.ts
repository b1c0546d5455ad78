/**
 * Owns how risky each user is as a customer: points by factor, the band that follows, and what operators decided about
 * it. Does not own the facts: it asks the rooms that have them. Merchants and users see nothing of it. Pure.
 * Directive (EU) 2015/849 art. 8(2) and Annex III, FATF R.1 and R.10: customers, countries, products and channels.
 */
import type { Treatment } from '../countries/policy.js';

export const riskBands = ['low', 'medium', 'high'] as const;
export type RiskBand = (typeof riskBands)[number];

/** What is known of the person behind a user, at all users of the person. */
export interface RiskFacts {
  /** The strictest of all that is known. */
  readonly residence: Treatment;
  readonly nationality: Treatment;
  /** In years; undefined while no form was submitted. */
  readonly age: number | undefined;
  /** Whether management had to accept the user, or an operator confirmed a hit of a politically exposed person. */
  readonly isExposed: boolean;
  /** Hits that nobody has decided. */
  readonly openHits: number;
  /** What monitoring found, and nobody dismissed. */
  readonly alerts: number;
  /** Of the last 365 days. */
  readonly paid: {
    readonly orders: number;
    readonly usdMinor: bigint;
    readonly countries: number;
    /** To countries whose policy asks for a look. */
    readonly toEnhanced: number;
    /** Since the first of them. */
    readonly sinceDays: number;
  };
}

export const riskFactors = ['country', 'corridor', 'product', 'age', 'behaviour', 'exposure'] as const;
export type RiskFactor = (typeof riskFactors)[number];

export interface RiskPoints {
  readonly factor: RiskFactor;
  readonly points: number;
  readonly explanation: string;
}

export interface Rated {
  readonly points: number;
  readonly band: RiskBand;
  /** What gave points, the most first. */
  readonly because: readonly RiskPoints[];
}

const mediumFrom = 30;
const highFrom = 60;

export function rate(facts: RiskFacts): Rated {
  const because = [
    ...country(facts),
    ...corridor(facts),
    ...product(facts),
    ...age(facts),
    ...behaviour(facts),
    ...exposure(facts),
  ].toSorted((left, right) => right.points - left.points);
  const points = because.reduce((sum, part) => sum + part.points, 0);
  return { points, band: bandOf(points), because };
}

function bandOf(points: number): RiskBand {
  if (points >= highFrom) return 'high';
  return points >= mediumFrom ? 'medium' : 'low';
}

/** After how many months somebody looks at a customer again (art. 13(1)(d)). */
export const reviewedAfterMonths: Readonly<Record<RiskBand, number>> = { low: 36, medium: 24, high: 12 };

/** How much of what the level allows is paid out without a look, in percent. */
export const shareOfLimits: Readonly<Record<RiskBand, bigint>> = { low: 100n, medium: 50n, high: 25n };

export function isHigher(band: RiskBand, than: RiskBand): boolean {
  return riskBands.indexOf(band) > riskBands.indexOf(than);
}

function country({ residence, nationality }: RiskFacts): RiskPoints[] {
  const of = (treatment: Treatment, enhanced: number) => ({ allowed: 0, enhanced, prohibited: highFrom })[treatment];
  return given('country', [
    [of(residence, 30), `The policy of the country of residence is ${residence}.`],
    [of(nationality, 20), `The policy of a country of nationality is ${nationality}.`],
  ]);
}

function corridor({ paid }: RiskFacts): RiskPoints[] {
  return given('corridor', [
    [paid.toEnhanced > 0 ? 25 : 0, `${paid.toEnhanced} orders went to countries whose policy asks for a look.`],
    [paid.countries >= 4 ? 10 : 0, `Orders went to ${paid.countries} countries within a year.`],
  ]);
}

/** A year of one remittance a week is the usual customer. */
function product({ paid: { usdMinor, orders } }: RiskFacts): RiskPoints[] {
  const usd = usdMinor / 100n;
  return given('product', [
    [usd >= 50_000n ? 20 : usd >= 10_000n ? 10 : 0, `${usd} USD were sent within a year.`],
    [orders > 104 ? 10 : 0, `${orders} orders were paid within a year, more than two a week.`],
  ]);
}

function age({ age: years, paid }: RiskFacts): RiskPoints[] {
  const isYoungOrOld = years !== undefined && (years < 21 || years >= 75);
  return given('age', [
    [
      isYoungOrOld ? 10 : 0,
      `The customer is ${years !== undefined && years < 21 ? 'younger than 21' : '75 or older'}.`,
    ],
    [paid.sinceDays < 90 ? 10 : 0, 'The first order was paid less than 90 days ago, or there is none.'],
  ]);
}

function behaviour({ alerts, openHits }: RiskFacts): RiskPoints[] {
  return given('behaviour', [
    [alerts > 1 ? 35 : alerts * 20, `Monitoring found something unusual ${alerts} times that nobody has dismissed.`],
    [openHits > 0 ? 30 : 0, `${openHits} hits of screening are not decided.`],
  ]);
}

/** Enhanced measures are a duty for these, whatever else is known (art. 18a, 20). */
function exposure({ isExposed }: RiskFacts): RiskPoints[] {
  return given('exposure', [
    [isExposed ? highFrom : 0, 'The customer is politically exposed, or close to somebody who is.'],
  ]);
}

function given(factor: RiskFactor, parts: readonly (readonly [number, string])[]): RiskPoints[] {
  return parts.flatMap(([points, explanation]) => (points > 0 ? [{ factor, points, explanation }] : []));
}
