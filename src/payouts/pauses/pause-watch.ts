/** Knows from memory what is paused, so that planning an order asks nobody. A change is announced to all processes. */
import type { Queryable } from '../../postgres/statement.js';
import { Refresher } from '../../worker/refresher.js';
import type { KnownPause, PauseRef } from './pause.js';
import { listPauses } from './pause-store.js';

export const pausesChanged = 'payouts.pauses-changed';
const refreshEveryMs = 5_000;

export class PauseWatch extends Refresher {
  #pauses: readonly KnownPause[] = [];

  /** `onEnd` is called when this process has learned that a pause has ended. */
  constructor(database: Queryable, onEnd: () => void) {
    super(async () => {
      const before = this.#pauses;
      this.#pauses = await listPauses(database);
      if (before.some((pause) => !this.#pauses.some((other) => isSame(pause, other)))) onEnd();
    }, refreshEveryMs);
  }

  get pauses(): readonly KnownPause[] {
    return this.#pauses;
  }
}

function isSame(left: PauseRef, right: PauseRef): boolean {
  return left.kind === right.kind && left.name === right.name;
}
