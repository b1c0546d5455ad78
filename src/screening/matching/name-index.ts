/** Searches the index of one list: first the names that can reach the score at all, then their exact score. */
import { namePartsOf } from '../names/name-parts.js';
import type { Subject } from '../screening.js';
import type { IndexData } from '../search-index/index-data.js';
import { TextReader } from '../search-index/packed-texts.js';
import { StoredWords } from '../search-index/stored-words.js';
import { type Alignment, alignName } from './align.js';
import { Candidates } from './candidates.js';
import { EntryRelations } from './entry-relations.js';
import { type Query, WordSearch } from './query.js';
import { Reach } from './reach.js';
import { type Evidence, pointsOf, scoreOf } from './score.js';

/** The best pair of names of a subject and an entry. */
export interface FoundEntry {
  readonly entry: number;
  readonly name: number;
  readonly subjectName: string;
  readonly query: Query;
  readonly evidence: Evidence;
  /** The score before it is rounded and limited to 100. */
  readonly points: number;
  readonly score: number;
}

export class NameIndex {
  readonly names: TextReader;
  readonly entryIds: TextReader;
  readonly primaryNames: TextReader;
  readonly words: StoredWords;
  readonly #search: WordSearch;
  readonly #candidates: Candidates;

  constructor(readonly data: IndexData) {
    this.names = new TextReader(data.names);
    this.entryIds = new TextReader(data.entryIds);
    this.primaryNames = new TextReader(data.primaryNames);
    this.words = new StoredWords(data);
    this.#search = new WordSearch(data, this.words);
    this.#candidates = new Candidates(data);
  }

  /** The entries with at least `matchScore`, each with its best name. Not sorted. */
  search(subject: Subject, matchScore: number): FoundEntry[] {
    const best = new Map<number, FoundEntry>();
    const relations = new EntryRelations(this.data, subject);
    for (const subjectName of subject.names) {
      const query = this.#search.prepare(namePartsOf(subjectName, subject.kind));
      const reach = new Reach(subject.kind, relations, matchScore);
      for (const name of this.#candidates.find(query, reach)) {
        const alignment = alignName(query, this.data, name);
        const found = this.#judge(subject, relations, { name, subjectName, query, alignment }, matchScore);
        if (found && found.points > (best.get(found.entry)?.points ?? -1)) best.set(found.entry, found);
      }
    }
    return [...best.values()];
  }

  #judge(
    subject: Subject,
    relations: EntryRelations,
    compared: { name: number; subjectName: string; query: Query; alignment: Alignment },
    matchScore: number,
  ): FoundEntry | undefined {
    const { alignment, ...rest } = compared;
    const entry = this.data.entryOfName[compared.name] ?? 0;
    const evidence = { kind: subject.kind, alignment, ...relations.of(compared.name) };
    const points = pointsOf(evidence);
    const score = scoreOf(points);
    return score >= matchScore ? { entry, evidence, points, score, ...rest } : undefined;
  }
}
