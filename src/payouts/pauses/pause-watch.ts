/** Knows from memory what is paused, so that planning an order asks nobody. A change is announced to all processes. */
import type { Queryable } from '../../postgres/statement.js';
import { Refresher } from '../../worker/refresher.js';
import type { PauseRef } from './pause.js';
import { listPauses } from './pause-store.js';

export const pausesChanged = 'payouts.pauses-changed';
const refreshEveryMs = 5_000;

export class PauseWatch {
  #pauses: readonly PauseRef[] = [];
  readonly #refresher: Refresher;

  /** `onEnd` is called when this process has learned that a pause has ended. */
  constructor(database: Queryable, onEnd: () => void) {
    this.#refresher = new Refresher(async () => {
      const before = this.#pauses;
      this.#pauses = await listPauses(database);
      if (before.some((pause) => !this.#pauses.some((other) => isSame(pause, other)))) onEnd();
    }, refreshEveryMs);
  }

  get pauses(): readonly PauseRef[] {
    return this.#pauses;
  }

  /** Throws `database_unavailable`. */
  async start(): Promise<void> {
    await this.#refresher.start();
  }

  /** Resolves once this process knows everything that was committed before the call. */
  refresh(): Promise<void> {
    return this.#refresher.refresh();
  }

  stop(): void {
    this.#refresher.stop();
  }
}

function isSame(left: PauseRef, right: PauseRef): boolean {
  return left.kind === right.kind && left.name === right.name;
}
