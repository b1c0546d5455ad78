/**
 * One upload of a form at a time. A few more wait; the rest are refused. Needed against attack 5: the holder of one link
 * stopped everybody's uploads with a few that stood still, and filled all checkers with hostile PDFs.
 */
import { Semaphore } from '../worker/semaphore.js';

export class FormTurns {
  readonly #ofForm = new Map<string, Semaphore>();

  constructor(readonly waitingAtMost: number) {}

  /** Returns the function that ends the turn, or undefined when too many uploads of this form wait already. */
  async begin(form: string): Promise<(() => void) | undefined> {
    const semaphore = this.#ofForm.get(form) ?? new Semaphore(1, this.waitingAtMost);
    if (semaphore.isFull) return undefined;
    this.#ofForm.set(form, semaphore);
    const release = await semaphore.acquire();
    return () => {
      release();
      if (semaphore.isIdle) this.#ofForm.delete(form);
    };
  }
}
