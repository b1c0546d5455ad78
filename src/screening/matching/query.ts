/** A subject's name, ready to be compared: each part with the words of an index that resemble it. */
import { comparedWord } from '../names/compared-word.js';
import type { NameParts } from '../names/name-parts.js';
import { type Similarity, similarityOf } from '../names/similarity.js';
import { forEachValue } from '../search-index/hash.js';
import type { IndexData } from '../search-index/index-data.js';
import type { StoredWords } from '../search-index/stored-words.js';
import { joinedKeys, searchedKeys } from '../search-index/word-keys.js';

/** The words of an index that resemble a word, and what every search by them needs to know. */
export class SimilarWords {
  readonly words: Uint32Array;
  /** How many names contain one of them. */
  readonly names: number;
  /** The most that a listed name can gain by one of them. */
  readonly listedBound: number;
  readonly #similarities: ReadonlyMap<number, Similarity>;

  constructor(similarities: ReadonlyMap<number, Similarity>, { namesOfWord, wordBounds }: IndexData) {
    this.#similarities = similarities;
    this.words = Uint32Array.from(similarities.keys());
    let [names, listedBound] = [0, 0];
    for (const word of this.words) {
      names += (namesOfWord.starts[word + 1] ?? 0) - (namesOfWord.starts[word] ?? 0);
      listedBound = Math.max(listedBound, wordBounds[word] ?? 0);
    }
    this.names = names;
    this.listedBound = listedBound;
  }

  get(word: number): Similarity | undefined {
    return this.#similarities.get(word);
  }
}

export interface QueryPart {
  readonly text: string;
  readonly weight: number;
  readonly similar: SimilarWords;
}

export interface QueryJoined {
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
}

const rememberedSearches = 8192;

export class WordSearch {
  readonly #found = new Map<string, SimilarWords>();
  readonly #nothing: SimilarWords;

  constructor(
    readonly data: IndexData,
    readonly words: StoredWords,
  ) {
    this.#nothing = new SimilarWords(new Map(), data);
  }

  prepare({ parts, joined }: NameParts): Query {
    return {
      parts: parts.map(({ text, weight, isVowelless }) => ({
        text,
        weight,
        similar: text.length === 1 ? this.#nothing : this.#similarTo(text, isVowelless),
      })),
      joined: joined.map(({ text, isVowelless, covers }) => ({
        similar: this.#search(joinedKeys, text, isVowelless),
        mask: covers.reduce((bits, part) => bits | (1 << part), 0),
      })),
      weight: parts.reduce((sum, part) => sum + part.weight, 0),
      initials: parts.filter(({ text }) => text.length === 1).length,
    };
  }

  /** People share names: most words have been searched for before. */
  #similarTo(text: string, isVowelless: boolean): SimilarWords {
    const key = isVowelless ? `${text} ` : text;
    const known = this.#found.get(key);
    if (known) return known;
    const similar = this.#search(searchedKeys, text, isVowelless);
    if (this.#found.size >= rememberedSearches) this.#found.clear();
    this.#found.set(key, similar);
    return similar;
  }

  #search(keysOf: typeof searchedKeys, text: string, isVowelless: boolean): SimilarWords {
    const searched = comparedWord(text, isVowelless);
    const { alike, byLetters } = keysOf(searched);
    const seen = new Set<number>();
    const similar = new Map<number, Similarity>();
    const compare = (word: number) => {
      if (seen.has(word)) return;
      seen.add(word);
      const similarity = similarityOf(searched, this.words.at(word));
      if (similarity.value > 0) similar.set(word, similarity);
    };
    for (const key of alike) forEachValue(this.data.keys, key, compare);
    for (const key of byLetters) {
      forEachValue(this.data.keys, key, (word) => {
        if (this.words.mayBeNear(word, searched)) compare(word);
      });
    }
    return new SimilarWords(similar, this.data);
  }
}
