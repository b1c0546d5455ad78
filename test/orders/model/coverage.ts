/** Counts what a run has reached, so that it can say what it never did. */
import type { LaneModel } from './lane.js';
import { type Outcome, states } from './order-record.js';
import { suspenseStates } from './suspense-model.js';

export class Coverage {
  steps = 0;
  readonly #counts = new Map<string, number>();

  count(kind: string, name: string): void {
    this.steps += 1;
    this.#add(`${kind} ${name.replace(/^\d workers /, '').replace(/, [a-z-]+$/, '')}`);
  }

  act(name: string, fault: string, outcome: Outcome): void {
    this.steps += 1;
    const verb = name.replace(/ \d.*| of \d.*| of [a-z]+ \d.*|(?<=^policies) .*/, '');
    this.#add(`act ${verb}: ${outcome.join(' ')}`);
    this.#add(`fault ${fault}`);
  }

  /** Counts the states that orders are in after a round. */
  states({ orders, suspense }: LaneModel): void {
    for (const { state } of orders) this.#add(`state ${state}`);
    for (const { state } of suspense) this.#add(`suspense ${state}`);
  }

  /** Counts what merchants were told in a story. */
  told({ orders }: LaneModel): void {
    for (const type of orders.flatMap(({ told }) => told)) this.#add(`event ${type}`);
  }

  /** Those of these acts that never succeeded: nothing is known of them then. */
  neverDone(acts: readonly string[]): string[] {
    return acts.filter((name) => !this.#counts.has(`act ${name}`));
  }

  report(expected: readonly string[]): string {
    const lines = ['act', 'pass', 'fault', 'state', 'suspense', 'event'].map((kind) => {
      const counts = [...this.#counts].filter(([name]) => name.startsWith(`${kind} `)).sort();
      return `  ${kind}: ${counts.map(([name, times]) => `${name.slice(kind.length + 1)} ${times}`).join(' · ')}`;
    });
    const all = [
      ...states.map((state) => `state ${state}`),
      ...suspenseStates.map((state) => `suspense ${state}`),
      ...expected,
    ];
    const never = all.filter((name) => ![...this.#counts.keys()].some((key) => key.startsWith(name)));
    return [...lines, `  never reached: ${never.length === 0 ? 'nothing' : never.join(', ')}`].join('\n');
  }

  #add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}
