/**
 * The persons or the organisations of one list, as a search needs them. A name is a row of words; every different word is
 * there once, knows the names that contain it, and is filed under each of its keys.
 */
import type { ListEntry } from '../lists/entry.js';
import { type ComparedWord, comparedWord } from '../names/compared-word.js';
import { type NameParts, namePartsOf } from '../names/name-parts.js';
import { type NameKind, weightOf } from '../names/word-weights.js';
import { joinedKeys, storedKeys } from './word-keys.js';

export interface ListedWord extends ComparedWord {
  readonly weight: number;
  /** The most that a name has by this word: more than `weight` when the word stands for two parts of a name. */
  mostWeight: number;
  /** Whether it is a part of a name, not only two neighbouring parts written as one. */
  isPart: boolean;
  readonly names: ListedName[];
}

export interface ListedName {
  readonly text: string;
  readonly entry: ListedEntry;
  readonly parts: readonly ListedWord[];
  /** Neighbouring parts written as one. */
  readonly joined: readonly ListedJoined[];
  readonly weight: number;
  /** How many parts are initials. */
  readonly initials: number;
}

export interface ListedJoined {
  readonly word: ListedWord;
  readonly weight: number;
  /** A bit for each part that it covers. */
  readonly mask: number;
}

export interface ListedEntry extends ListEntry {
  /** Counts the entries of the index. */
  readonly position: number;
  /** The first that has a word. */
  readonly firstName: string;
}

const none: readonly never[] = [];

export class ListIndex {
  readonly names: ListedName[] = [];
  readonly #wordsByKey = new Map<string, ListedWord[]>();
  readonly #wordByText = new Map<string, ListedWord>();
  #entries = 0;

  constructor(readonly kind: NameKind) {}

  add(entry: ListEntry): void {
    const names = [...new Set(entry.names)]
      .map((text) => ({ text, ...namePartsOf(text, this.kind) }))
      .filter(({ parts }) => parts.length > 0);
    const [first] = names;
    if (!first) return;
    const listed = { ...entry, position: this.#entries, firstName: first.text };
    this.#entries += 1;
    for (const { text, ...name } of names) this.#addName(text, name, listed);
  }

  /** The words that were stored under a key. */
  wordsUnder(key: string): readonly ListedWord[] {
    return this.#wordsByKey.get(key) ?? none;
  }

  #addName(text: string, { parts, joined }: NameParts, entry: ListedEntry): void {
    const name: ListedName = {
      text,
      entry,
      parts: parts.map((part) => this.#partOf(part.text, part.isVowelless)),
      joined: joined.map(({ text: joinedText, isVowelless, covers }) => ({
        word: this.#wordOf(joinedText, isVowelless),
        weight: covers.reduce((sum, part) => sum + (parts[part]?.weight ?? 0), 0),
        mask: covers.reduce((bits, part) => bits | (1 << part), 0),
      })),
      weight: parts.reduce((sum, part) => sum + part.weight, 0),
      initials: parts.filter((part) => part.text.length === 1).length,
    };
    this.names.push(name);
    for (const { word, weight } of name.joined) word.mostWeight = Math.max(word.mostWeight, weight);
    for (const word of new Set([...name.parts, ...name.joined.map(({ word }) => word)])) word.names.push(name);
  }

  #partOf(text: string, isVowelless: boolean): ListedWord {
    const word = this.#wordOf(text, isVowelless);
    if (!word.isPart) this.#file(word, storedKeys(word));
    word.isPart = true;
    word.mostWeight = Math.max(word.mostWeight, word.weight);
    return word;
  }

  #wordOf(text: string, isVowelless: boolean): ListedWord {
    const key = isVowelless ? `${text} ` : text;
    const known = this.#wordByText.get(key);
    if (known) return known;
    const weight = weightOf(text, this.kind);
    const word = { ...comparedWord(text, isVowelless), weight, mostWeight: 0, isPart: false, names: [] };
    this.#wordByText.set(key, word);
    this.#file(word, joinedKeys(word));
    return word;
  }

  /** Nine of ten keys lead to one word only. The keys of a word share one array as long as it is alone there. */
  #file(word: ListedWord, keys: Iterable<string>): void {
    const alone = [word];
    for (const key of keys) {
      const words = this.#wordsByKey.get(key);
      if (!words) this.#wordsByKey.set(key, alone);
      else if (words.at(-1) === word) continue;
      else if (words.length === 1) this.#wordsByKey.set(key, [...words, word]);
      else words.push(word);
    }
  }
}
