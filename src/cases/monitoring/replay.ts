/** What a rule would have found in a period of the past. Pure. */
import { type Facts, lookBackMs, type Movement, type Terms } from './rule.js';
import { scan } from './scan.js';

export interface ReplayReport {
  readonly from: string;
  readonly until: string;
  /** How many payments were looked at. */
  readonly payments: number;
  readonly alerts: number;
  /** How many persons, or accounts, the alerts are about. */
  readonly subjects: number;
  /** By month, such as `2026-11`. */
  readonly alertsByMonth: Readonly<Record<string, number>>;
  /** The newest alerts, to look at. */
  readonly examples: readonly { readonly orderId: string; readonly paidAt: string; readonly facts: Facts }[];
}

const examplesShown = 20;

/** `movements` begin as far before the period as the rule looks back. */
export function replayOf(terms: Terms, movements: readonly Movement[], from: Date, until: Date): ReplayReport {
  const inPeriod = movements.filter(({ paidAt }) => paidAt >= from && paidAt < until);
  const found = scan(terms, inPeriod, movements);
  const months = found.map(({ movement }) => movement.paidAt.toISOString().slice(0, 7));
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    payments: inPeriod.length,
    alerts: found.length,
    subjects: new Set(found.map(({ subject }) => subject)).size,
    alertsByMonth: Object.fromEntries(
      [...new Set(months)].map((month) => [month, months.filter((each) => each === month).length]),
    ),
    examples: found.slice(-examplesShown).map(({ movement: { orderId, paidAt }, facts }) => ({
      orderId,
      paidAt: paidAt.toISOString(),
      facts,
    })),
  };
}

export function historyFrom(terms: Terms, from: Date): Date {
  return new Date(from.getTime() - lookBackMs(terms));
}
