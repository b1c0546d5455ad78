/** Looks at the files of all lists again and again, one list after the other. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WatchedList } from './watched-list.js';

export class ListPoll {
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    readonly lists: readonly WatchedList[],
    readonly everyMs: number,
  ) {}

  /** Returns when every list has been looked at once, or after `withinMs`. Loading goes on then. */
  async start(withinMs: number): Promise<void> {
    if (this.lists.length === 0) return;
    const first = this.#checkAll();
    this.#running = first.then(() => this.#repeat());
    await Promise.race([first, this.#pause(withinMs)]);
  }

  /** Ends a load that is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #repeat(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#pause(this.everyMs);
      await this.#checkAll();
    }
  }

  /** One list at a time: loading two large ones together would need twice the memory. */
  async #checkAll(): Promise<void> {
    for (const list of this.lists) if (!this.#stop.signal.aborted) await list.check(this.#stop.signal);
  }

  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { ref: false, signal: this.#stop.signal }).catch(() => {});
  }
}
