/** What a rule would have found in a period of the past: counted payment by payment. Pure. */
import type { Facts } from './rule.js';
import type { Found } from './scan.js';

export interface ReplayReport {
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

export class ReplayTally {
  payments = 0;
  #alerts = 0;
  #subjects = 0;
  readonly #byMonth = new Map<string, number>();
  #newest: Found[] = [];

  /** All alerts about some subjects. No subject is added twice. */
  add(found: readonly Found[]): void {
    this.#alerts += found.length;
    this.#subjects += new Set(found.map(({ subject }) => subject)).size;
    for (const { movement } of found) {
      const month = movement.paidAt.toISOString().slice(0, 7);
      this.#byMonth.set(month, (this.#byMonth.get(month) ?? 0) + 1);
    }
    this.#newest = [...this.#newest, ...found]
      .sort((left, right) => left.movement.paidAt.getTime() - right.movement.paidAt.getTime())
      .slice(-examplesShown);
  }

  report(): ReplayReport {
    return {
      payments: this.payments,
      alerts: this.#alerts,
      subjects: this.#subjects,
      alertsByMonth: Object.fromEntries([...this.#byMonth].sort()),
      examples: this.#newest.map(({ movement: { orderId, paidAt }, facts }) => ({
        orderId,
        paidAt: paidAt.toISOString(),
        facts,
      })),
    };
  }
}
