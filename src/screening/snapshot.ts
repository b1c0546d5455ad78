/**
 * The lists at one moment. Whoever holds a snapshot gets consistent answers, even when a list is replaced meanwhile.
 */
import { createHash } from 'node:crypto';
import type { ListEntry } from './lists/entry.js';
import type { FoundEntry, NameIndex } from './matching/name-index.js';
import { reasonsFor } from './matching/reasons.js';
import { isReadable } from './names/readable.js';
import type { Match, Subject, Thresholds } from './screening.js';

export interface ListSnapshot {
  readonly name: string;
  readonly version: string;
  readonly persons: NameIndex;
  readonly organisations: NameIndex;
  /** Politically exposed people, who are under no sanction. */
  readonly exposed: NameIndex;
}

export type Usability = { readonly isUsable: true } | { readonly isUsable: false; readonly reason: string };

/** Raised when the same lists give other answers, so that approved users are screened again. */
const matchingVersion = 2;
/** A name that matches hundreds of entries is judged by the best of them. */
const mostMatches = 100;
const mostNames = 50;
const longestName = 500;

export class ScreeningSnapshot {
  /** Changes with every list. Two snapshots of one version give the same answers. */
  readonly version: string;

  constructor(
    readonly lists: readonly ListSnapshot[],
    readonly usability: Usability,
    readonly thresholds: Thresholds,
  ) {
    this.version = createHash('sha256')
      .update([matchingVersion, ...lists.map(({ name, version }) => `${name} ${version}`)].join('\n'))
      .digest('hex')
      .slice(0, 32);
  }

  /**
   * The matches with those who are under sanctions, best first. Lists that could not be loaded are not searched: ask
   * `usability` first.
   */
  screen(subject: Subject): Match[] {
    return this.#search(subject, ({ persons, organisations }) => [persons, organisations]);
  }

  /** The matches with those who are politically exposed only, best first. They stop no money. */
  exposures(subject: Subject): Match[] {
    return this.#search(subject, ({ exposed }) => [exposed]);
  }

  #search(subject: Subject, indexesOf: (list: ListSnapshot) => readonly NameIndex[]): Match[] {
    const names = subject.names.slice(0, mostNames).map((name) => name.slice(0, longestName));
    const searched = { ...subject, names };
    return this.lists
      .flatMap((list) =>
        bestOf(indexesOf(list), searched, this.thresholds.matchScore).map((found) => ({ list, found })),
      )
      .sort(
        (left, right) =>
          right.found.points - left.found.points || left.found.entry.position - right.found.entry.position,
      )
      .slice(0, mostMatches)
      .map(({ list, found }) => this.#matchOf(list, found));
  }

  /** Whether a name of the subject cannot be compared well: no match clears nobody then. */
  hasUnreadableName({ names }: Subject): boolean {
    return names.length > mostNames || names.some((name) => name.length > longestName || !isReadable(name));
  }

  #matchOf(list: ListSnapshot, found: FoundEntry): Match {
    return {
      list: list.name,
      listVersion: list.version,
      entryId: found.entry.id,
      entryHash: entryHash(found.entry),
      entryName: found.entry.firstName,
      matchedName: found.name.text,
      subjectName: found.subjectName,
      score: found.score,
      isStrong: found.score >= this.thresholds.strongScore,
      reasons: reasonsFor(found),
    };
  }
}

/** Both kinds: a merchant may write a person as a company. An entry of either kind is found once. */
function bestOf(indexes: readonly NameIndex[], subject: Subject, matchScore: number): FoundEntry[] {
  const best = new Map<string, FoundEntry>();
  for (const found of indexes.flatMap((index) => index.search(subject, matchScore)))
    if (found.points > (best.get(found.entry.id)?.points ?? -1)) best.set(found.entry.id, found);
  return [...best.values()];
}

/** The content of an entry as a short text, so that a decision about it holds until the entry changes. */
function entryHash({ names, birthDates, countries }: ListEntry): string {
  const content = JSON.stringify([[...new Set(names)].sort(), birthDates, [...countries].sort()]);
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}
