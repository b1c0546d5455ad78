/**
 * One upload of a form at a time. A few more wait; the rest are refused. Otherwise the holder of one link could stop
 * everybody's uploads with a few that stand still, or fill all checkers with hostile PDFs.
 */
import { Semaphore } from '../worker/semaphore.js';

export class FormSemaphores {
  readonly #ofForm = new Map<string, Semaphore>();

  constructor(readonly waitingAtMost: number) {}

  /** Returns the function that releases the form, or undefined when too many of its uploads wait already. */
  async acquire(form: string): Promise<(() => void) | undefined> {
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
