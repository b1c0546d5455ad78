/** The lists at one moment. Whoever holds a snapshot gets consistent answers, even when a list is replaced meanwhile. */
import { createHash } from 'node:crypto';
import { entryHash } from './matching/entry-hash.js';
import type { FoundEntry, NameIndex } from './matching/name-index.js';
import { reasonsFor } from './matching/reasons.js';
import type { Match, Subject, Thresholds } from './screening.js';

export interface ListSnapshot {
  readonly name: string;
  readonly version: string;
  readonly persons: NameIndex;
  readonly organisations: NameIndex;
}

export type Usability = { readonly isUsable: true } | { readonly isUsable: false; readonly reason: string };

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
      .update(lists.map(({ name, version }) => `${name} ${version}`).join('\n'))
      .digest('hex')
      .slice(0, 32);
  }

  /** The matches, best first. Lists that could not be loaded are not searched: ask `usability` first. */
  screen(subject: Subject): Match[] {
    const names = subject.names.slice(0, mostNames).map((name) => name.slice(0, longestName));
    const searched = { ...subject, names };
    const found = this.lists.flatMap((list) => {
      const index = subject.kind === 'person' ? list.persons : list.organisations;
      return index.search(searched, this.thresholds.matchScore).map((entry) => ({ list, index, entry }));
    });
    return found
      .sort((left, right) => right.entry.points - left.entry.points || left.entry.entry - right.entry.entry)
      .slice(0, mostMatches)
      .map(({ list, index, entry }) => this.#matchOf(list, index, entry));
  }

  #matchOf(list: ListSnapshot, index: NameIndex, found: FoundEntry): Match {
    return {
      list: list.name,
      listVersion: list.version,
      entryId: index.entryIds.read(found.entry),
      entryHash: entryHash(index, found.entry),
      entryName: index.primaryNames.read(found.entry),
      matchedName: index.names.read(found.name),
      subjectName: found.subjectName,
      score: found.score,
      isStrong: found.score >= this.thresholds.strongScore,
      reasons: reasonsFor(index, found),
    };
  }
}
