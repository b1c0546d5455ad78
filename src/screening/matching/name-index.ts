/** Searches the index of one list: first the names that can reach the score at all, then their exact score. */
import type { ListEntry } from '../lists/entry.js';
import { namePartsOf } from '../names/name-parts.js';
import type { NameKind } from '../names/word-weights.js';
import type { Subject } from '../screening.js';
import { type ListedEntry, type ListedName, ListIndex } from '../search-index/list-index.js';
import { alignName } from './align.js';
import { findCandidates } from './candidates.js';
import { EntryRelations } from './entry-relations.js';
import { type Query, WordSearch } from './query.js';
import { type Evidence, isTelling, pointsOf, scoreOf } from './score.js';

/** The best pair of names of a subject and an entry. */
export interface FoundEntry {
  readonly entry: ListedEntry;
  readonly name: ListedName;
  readonly subjectName: string;
  readonly query: Query;
  readonly evidence: Evidence;
  /** The score before it is rounded and limited to 100. */
  readonly points: number;
  readonly score: number;
}

export class NameIndex {
  readonly #index: ListIndex;
  readonly #words: WordSearch;

  constructor(readonly kind: NameKind) {
    this.#index = new ListIndex(kind);
    this.#words = new WordSearch(this.#index);
  }

  /**
   * Not after the first search: words that were searched for are remembered. Entries of the other kind are left out.
   */
  add(entry: ListEntry): void {
    if (entry.kind === this.kind || entry.kind === 'either') this.#index.add(entry);
  }

  /** The entries with at least `matchScore`, each with its best name. Not sorted. */
  search(subject: Subject, matchScore: number): FoundEntry[] {
    const { kind } = this;
    const isOtherKind = subject.kind !== kind;
    const facts = { kind, isOtherKind, isVerified: subject.isVerified ?? false };
    const side = { kind, isSearched: true, withoutLegalForms: isOtherKind && kind === 'person' };
    const best = new Map<ListedEntry, FoundEntry>();
    const relations = new EntryRelations(subject);
    const readings = subject.names.flatMap((subjectName) =>
      namePartsOf(subjectName, side).map((parts) => ({ subjectName, parts })),
    );
    for (const { subjectName, parts } of readings) {
      const query = this.#words.prepare(parts);
      for (const name of findCandidates(query, facts, relations, matchScore)) {
        const { entry } = name;
        const { isWindow } = query;
        const evidence = { ...facts, isWindow, alignment: alignName(query, name), ...relations.of(entry) };
        if (!isTelling(evidence)) continue;
        const points = pointsOf(evidence);
        const score = scoreOf(points);
        if (score >= matchScore && points > (best.get(entry)?.points ?? -1))
          best.set(entry, { entry, name, subjectName, query, evidence, points, score });
      }
    }
    return [...best.values()];
  }
}
