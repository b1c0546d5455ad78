/** A subject's name, ready to be compared: each part with the words of an index that resemble it. */
import { comparedWord } from '../names/compared-word.js';
import type { NameParts } from '../names/name-parts.js';
import type { Vowels } from '../names/romanise.js';
import { type Similarity, similarityOf } from '../names/similarity.js';
import { coverOf, type ListedWord, type ListIndex, wordKey } from '../search-index/list-index.js';
import { joinedKeys, searchedKeys } from '../search-index/word-keys.js';

export type SimilarWords = ReadonlyMap<ListedWord, Similarity>;

export interface QueryPart {
  readonly text: string;
  readonly weight: number;
  /** Of an initial, none. */
  readonly similar: SimilarWords;
}

/** Neighbouring parts written as one. */
export interface QueryJoined {
  readonly weight: number;
  readonly similar: SimilarWords;
  /** A bit for each part that it covers. */
  readonly mask: number;
}

export interface Query {
  readonly parts: readonly QueryPart[];
  readonly joined: readonly QueryJoined[];
  readonly weight: number;
  /** How many parts are initials. */
  readonly initials: number;
  /** A few words of a long name. */
  readonly isWindow: boolean;
}

const rememberedSearches = 8192;
const nothing: SimilarWords = new Map();

export class WordSearch {
  readonly #found = new Map<string, SimilarWords>();

  constructor(readonly index: ListIndex) {}

  prepare({ parts, joined, isWindow }: NameParts): Query {
    return {
      parts: parts.map(({ text, weight, vowels }) => ({
        text,
        weight,
        similar: text.length === 1 ? nothing : this.#similarTo(text, vowels),
      })),
      joined: joined.map(({ text, vowels, covers }) => ({
        similar: this.#search(joinedKeys, text, vowels),
        ...coverOf(parts, covers),
      })),
      weight: parts.reduce((sum, part) => sum + part.weight, 0),
      initials: parts.filter(({ text }) => text.length === 1).length,
      isWindow,
    };
  }

  /** People share names: most words have been searched for before. */
  #similarTo(text: string, vowels: Vowels): SimilarWords {
    const key = wordKey(text, vowels);
    const known = this.#found.get(key);
    if (known) return known;
    const similar = this.#search(searchedKeys, text, vowels);
    if (this.#found.size >= rememberedSearches) this.#found.clear();
    this.#found.set(key, similar);
    return similar;
  }

  #search(keysOf: typeof searchedKeys, text: string, vowels: Vowels): SimilarWords {
    const searched = comparedWord(text, vowels);
    const words = new Set([...keysOf(searched)].flatMap((key) => this.index.wordsUnder(key)));
    const similar = new Map<ListedWord, Similarity>();
    for (const word of words) {
      const similarity = similarityOf(searched, word);
      if (similarity.value > 0) similar.set(word, similarity);
    }
    return similar;
  }
}
