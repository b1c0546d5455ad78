/**
 * Gives the merchants that wait for a job their turns, round by round, so that one with much to do keeps nobody
 * waiting.
 */
import type { TenantId } from '../ids.js';

const beforeFirst = -1;

export class MerchantTurns {
  #last = beforeFirst;

  /** `list` has the next waiting merchants after the given one, in rising order. */
  constructor(readonly list: (after: number) => Promise<readonly TenantId[]>) {}

  /**
   * Yields the next merchants. One whose turn fails ends the round, and the next round begins after it: the others do
   * not wait.
   */
  async *next(signal: AbortSignal): AsyncGenerator<TenantId> {
    for (const merchantId of await this.#waiting()) {
      if (signal.aborted) return;
      this.#last = merchantId;
      yield merchantId;
    }
  }

  async #waiting(): Promise<readonly TenantId[]> {
    const waiting = await this.list(this.#last);
    if (waiting.length > 0 || this.#last === beforeFirst) return waiting;
    this.#last = beforeFirst;
    return await this.list(beforeFirst);
  }
}
