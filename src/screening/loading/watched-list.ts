/** One list: what is loaded of it, what is wrong with it, and whether its files have changed. */
import type { Clock } from '../../clock.js';
import type { Log } from '../../log.js';
import { ListFault } from '../lists/list-fault.js';
import type { ListSnapshot } from '../snapshot.js';
import { findListFiles, type ListFiles, type ListSource } from './list-source.js';
import { type ReadList, readList } from './read-list.js';
import { refuseShrunken } from './shrinking.js';

export interface LoadedList extends ListSnapshot {
  readonly entries: number;
  readonly names: number;
  readonly loadedAt: Date;
}

export interface ListError {
  readonly message: string;
  readonly at: Date;
}

export interface WatchOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** A new version with fewer entries or names than this share of the old one is refused. */
  readonly mostShrinkPercent: number;
  /** For how long files must be unchanged before they are read. */
  readonly settleMs: number;
}

export class WatchedList {
  loaded: LoadedList | undefined;
  lastError: ListError | undefined;
  /** When the files were last written, as far as their content is the loaded one. */
  writtenAt: Date | undefined;
  /** The state of the files at the last look, and since when they have been so. */
  #seen: { readonly signature: string; readonly since: number } | undefined;
  /** The state of the files that was loaded or refused last. It is not tried again before it changes. */
  #tried: string | undefined;
  /** What is wrong with those files, if they were refused. */
  #contentError: ListError | undefined;

  constructor(
    readonly source: ListSource,
    readonly options: WatchOptions,
  ) {}

  /** Looks at the files once and loads them when they have changed and are complete. Never throws. */
  async check(signal: AbortSignal): Promise<void> {
    try {
      const files = await findListFiles(this.source);
      if (files.signature === this.#tried) return this.#filesAreBack();
      if (!this.#isSettled(files)) return;
      await this.#load(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Files that were missing for a moment and came back unchanged need no loading. */
  #filesAreBack(): void {
    this.lastError = this.#contentError;
  }

  #isSettled({ signature, changedAt }: ListFiles): boolean {
    const now = this.options.clock.now().getTime();
    if (this.#seen?.signature !== signature) this.#seen = { signature, since: now };
    // The first load need not wait for a file that nobody has written to for a while.
    const since = this.loaded ? this.#seen.since : Math.min(this.#seen.since, changedAt);
    return now - since >= this.options.settleMs;
  }

  async #load(signal: AbortSignal): Promise<void> {
    const signature = this.#seen?.signature;
    try {
      const list = await readList(this.source, signal);
      if (list.signature !== signature) return;
      this.#accept(list);
      this.#contentError = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(error);
      this.#contentError = this.lastError;
    }
    this.#tried = signature;
  }

  /** Throws `ListFault` when the new version has lost too much: it is more likely torn than true. */
  #accept({ version, indexed, writtenAt }: ReadList): void {
    const { source, options } = this;
    if (this.loaded?.version !== version) {
      const { entries, names, persons, organisations, exposed } = indexed;
      if (this.loaded) refuseShrunken(this.loaded, indexed, options.mostShrinkPercent);
      const loadedAt = options.clock.now();
      this.loaded = { name: source.name, version, entries, names, loadedAt, persons, organisations, exposed };
      options.log.info({ list: source.name, version, entries, names }, 'screening list loaded');
    }
    this.writtenAt = new Date(writtenAt);
    this.lastError = undefined;
  }

  #fail(error: unknown): void {
    const message =
      error instanceof ListFault ? error.message : 'Loading failed for an unexpected reason; see the log.';
    if (this.lastError?.message === message) return;
    this.lastError = { message, at: this.options.clock.now() };
    this.options.log.error(
      { list: this.source.name, reason: message, keepsPrevious: this.loaded !== undefined, err: error },
      'screening list refused',
    );
  }
}
