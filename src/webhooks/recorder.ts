/**
 * What endpoints answered in the same moment is recorded by one statement, over all endpoints: measured, a statement for
 * each would cost more than the sending.
 */
import type { Database } from '../postgres/database.js';
import { type Faring, type Outcome, saveOutcomes } from './delivery-store.js';
import type { Health } from './endpoint.js';

const gatherMs = 15;
const outcomesAtOnce = 250;

interface Waiting {
  readonly outcome: Outcome;
  readonly health: Health;
  resolve(isRecorded: boolean): void;
  reject(error: unknown): void;
}

export class OutcomeRecorder {
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly database: Database,
    readonly workerId: string,
  ) {}

  /** False when the endpoint is not ours any more: then nothing was recorded. */
  record(outcome: Outcome, health: Health): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ outcome, health, resolve, reject });
      if (this.#waiting.length >= outcomesAtOnce) this.#save();
      else this.#timer ??= setTimeout(() => this.#save(), gatherMs);
    });
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#waiting;
    this.#waiting = [];
    this.#write(group).catch((error) => {
      for (const { reject } of group) reject(error);
    });
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    // Of several answers of an endpoint the last knows how it fares.
    const farings = new Map<string, Faring>();
    for (const { outcome, health } of group) farings.set(keyOf(outcome.held), { held: outcome.held, health });
    const outcomes = group.map(({ outcome }) => outcome);
    const saved = await saveOutcomes(this.database, this.workerId, [...farings.values()], outcomes);
    const counted = new Set(saved.map(keyOf));
    for (const { outcome, resolve } of group) resolve(counted.has(keyOf(outcome.held)));
  }
}

function keyOf({ merchantId, channel }: { merchantId: number | bigint; channel: string }): string {
  return `${merchantId} ${channel}`;
}
