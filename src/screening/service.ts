/**
 * The verbs of screening: ask about a subject, and ask about the lists. The lists are in the memory of each process and
 * are replaced as a whole; a snapshot keeps the lists of one moment.
 */
import type { Clock } from '../clock.js';
import type { LoadedList, WatchedList } from './loading/watched-list.js';
import type { Match, Subject, Thresholds } from './screening.js';
import { ScreeningSnapshot, type Usability } from './snapshot.js';

export type ListState = 'ok' | 'loading' | 'missing' | 'too_old';

export interface ListStatus {
  readonly name: string;
  readonly format: 'ofac' | 'opensanctions' | 'built_in';
  readonly state: ListState;
  readonly entries: number;
  readonly names: number;
  readonly version?: string;
  readonly loadedAt?: Date;
  readonly writtenAt?: Date;
  readonly ageSeconds?: number;
  readonly lastError?: { readonly message: string; readonly at: Date };
}

export interface ScreeningOptions {
  readonly lists: readonly WatchedList[];
  /** A list without a file, which is never too old. Only the sandbox has one. */
  readonly builtIn?: LoadedList;
  readonly thresholds: Thresholds;
  readonly maxAgeDays: number;
  readonly clock: Clock;
}

export class ScreeningService {
  readonly #options: ScreeningOptions;

  constructor(options: ScreeningOptions) {
    this.#options = options;
  }

  screen(subject: Subject): Match[] {
    return this.snapshot().screen(subject);
  }

  /** Whether the lists are complete and recent. Otherwise a subject without matches has not been cleared. */
  usability(): Usability {
    const statuses = this.listStatuses();
    if (statuses.length === 0) return { isUsable: false, reason: 'No screening list is configured.' };
    const wrong = statuses.filter(({ state }) => state !== 'ok');
    if (wrong.length === 0) return { isUsable: true };
    return {
      isUsable: false,
      reason: wrong.map(({ name, state }) => `${name}: ${stateTexts[state]}`).join('; '),
    };
  }

  snapshot(): ScreeningSnapshot {
    const { lists, builtIn, thresholds } = this.#options;
    const loaded = [...(builtIn ? [builtIn] : []), ...lists.flatMap((list) => list.loaded ?? [])];
    return new ScreeningSnapshot(loaded, this.usability(), thresholds);
  }

  listStatuses(): ListStatus[] {
    const { lists, builtIn, clock } = this.#options;
    const now = clock.now();
    return [...(builtIn ? [builtInStatus(builtIn)] : []), ...lists.map((list) => this.#statusOf(list, now))];
  }

  /** What an operator should look at, for the readiness probe. */
  warnings(): string[] {
    const failed = this.#options.lists.some(({ lastError }) => lastError !== undefined);
    return [
      ...(this.usability().isUsable ? [] : ['screening_lists_unusable']),
      ...(failed ? ['screening_list_refused'] : []),
    ];
  }

  #statusOf({ source, loaded, lastError, writtenAt }: WatchedList, now: Date): ListStatus {
    const ageSeconds = writtenAt && Math.max(0, Math.floor((now.getTime() - writtenAt.getTime()) / 1000));
    const isTooOld = (ageSeconds ?? 0) > this.#options.maxAgeDays * 86_400;
    return {
      name: source.name,
      format: source.format,
      state: loaded ? (isTooOld ? 'too_old' : 'ok') : lastError ? 'missing' : 'loading',
      entries: loaded?.entries ?? 0,
      names: loaded?.names ?? 0,
      ...(loaded && { version: loaded.version, loadedAt: loaded.loadedAt }),
      ...(writtenAt && { writtenAt }),
      ...(ageSeconds !== undefined && { ageSeconds }),
      ...(lastError && { lastError }),
    };
  }
}

const stateTexts: Readonly<Record<ListState, string>> = {
  ok: 'is usable',
  loading: 'is not loaded yet',
  missing: 'could not be loaded',
  too_old: 'is too old',
};

function builtInStatus({ name, entries, names, version, loadedAt }: LoadedList): ListStatus {
  return { name, format: 'built_in', state: 'ok', entries, names, version, loadedAt };
}
