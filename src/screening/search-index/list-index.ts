/**
 * The persons or the organisations of one list, as a search needs them. A name is a row of words; every different word
 * is there once, knows the names that contain it, and is filed under each of its keys.
 */
import type { ListEntry } from '../lists/entry.js';
import { type ComparedWord, comparedWord } from '../names/compared-word.js';
import { type NamePart, type NameParts, namePartsOf } from '../names/name-parts.js';
import type { Vowels } from '../names/romanise.js';
import { type NameKind, weightOf } from '../names/word-weights.js';
import { joinedKeys, storedKeys } from './word-keys.js';

export interface ListedWord extends ComparedWord {
  readonly weight: number;
  /** The most that a name has by this word: more than `weight` when the word stands for two parts of a name. */
  mostWeight: number;
  /** Whether it is a part of a name, not only two neighbouring parts written as one. */
  isPart: boolean;
  names: ListedName[];
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
  readonly #wordsByKey = new DividedMap<ListedWord[]>();
  readonly #wordByText = new Map<string, ListedWord>();
  #entries = 0;

  constructor(readonly kind: NameKind) {}

  add(entry: ListEntry): void {
    const names = [...new Set(entry.names)]
      .flatMap((text) => namePartsOf(text, { kind: this.kind, isSearched: false }).map((name) => ({ text, ...name })))
      .filter(({ parts }) => parts.length > 0);
    const [first] = names;
    if (!first) return;
    const listed = listedEntry(entry, this.#entries, first.text);
    this.#entries += 1;
    for (const { text, ...name } of names) this.#addName(text, name, listed);
  }

  wordsUnder(key: string): readonly ListedWord[] {
    return this.#wordsByKey.get(key) ?? none;
  }

  #addName(text: string, { parts, joined }: Omit<NameParts, 'isWindow'>, entry: ListedEntry): void {
    const name: ListedName = {
      text,
      entry,
      parts: parts.map((part) => this.#partOf(part)),
      joined: joined.map(({ text: joinedText, vowels, covers }) => ({
        word: this.#wordOf(joinedText, vowels, joinedKeys),
        ...coverOf(parts, covers),
      })),
      weight: parts.reduce((sum, part) => sum + part.weight, 0),
      initials: parts.filter((part) => part.text.length === 1).length,
    };
    this.names.push(name);
    for (const { word, weight } of name.joined) word.mostWeight = Math.max(word.mostWeight, weight);
    for (const word of new Set([...name.parts, ...name.joined.map(({ word }) => word)]))
      word.names = appended(word.names, name);
  }

  #partOf({ text, vowels }: NamePart): ListedWord {
    const word = this.#wordOf(text, vowels, storedKeys);
    if (!word.isPart) this.#file(word, storedKeys(word));
    word.isPart = true;
    word.mostWeight = Math.max(word.mostWeight, word.weight);
    return word;
  }

  /** A word that is not known yet is filed under `keysOf` it. */
  #wordOf(text: string, vowels: Vowels, keysOf: typeof storedKeys): ListedWord {
    const key = wordKey(text, vowels);
    const known = this.#wordByText.get(key);
    if (known) return known;
    const word = listedWord(comparedWord(text, vowels), weightOf(text, this.kind));
    word.isPart = keysOf === storedKeys;
    this.#wordByText.set(key, word);
    this.#file(word, keysOf(word));
    return word;
  }

  /** Nine of ten keys lead to one word only. The keys of a word share one array as long as it is alone there. */
  #file(word: ListedWord, keys: Iterable<string>): void {
    const alone = [word];
    for (const key of keys) {
      const words = this.#wordsByKey.get(key);
      if (words?.at(-1) !== word) this.#wordsByKey.set(key, words ? appended(words, word) : alone);
    }
  }
}

/** Words of one spelling are told apart by how far their vowels can be relied on. */
export function wordKey(text: string, vowels: Vowels): string {
  return vowels === 'written' ? text : `${text} ${vowels}`;
}

/** What parts written as one weigh, and a bit for each of them. */
export function coverOf(parts: readonly NamePart[], covers: readonly number[]): { weight: number; mask: number } {
  return {
    weight: covers.reduce((sum, part) => sum + (parts[part]?.weight ?? 0), 0),
    mask: covers.reduce((bits, part) => bits | (1 << part), 0),
  };
}

/** Written out, and its arrays copied to their exact length: a list has many thousands of these. */
function listedWord({ text, folded, sounds, consonants, vowels }: ComparedWord, weight: number): ListedWord {
  return {
    text,
    folded,
    sounds: sounds.slice(),
    consonants,
    vowels,
    weight,
    mostWeight: 0,
    isPart: false,
    names: [],
  };
}

function listedEntry(entry: ListEntry, position: number, firstName: string): ListedEntry {
  const { id, kind, names, birthDates, countries } = entry;
  return {
    id,
    kind,
    names: names.slice(),
    birthDates: birthDates.slice(),
    countries: countries.slice(),
    position,
    firstName,
  };
}

/** The array with one more item. A short one is copied: `push` makes room for sixteen more, and most stay short. */
function appended<Item>(items: Item[], item: Item): Item[] {
  if (items.length < 16) return items.concat([item]);
  items.push(item);
  return items;
}

/** A map in parts, by the first two letters of the key: when a map of a million keys grows, everything else waits. */
class DividedMap<Value> {
  readonly #parts = new Map<string, Map<string, Value>>();

  get(key: string): Value | undefined {
    return this.#parts.get(key.slice(0, 2))?.get(key);
  }

  set(key: string, value: Value): void {
    const part = this.#parts.get(key.slice(0, 2));
    if (part) part.set(key, value);
    else this.#parts.set(key.slice(0, 2), new Map([[key, value]]));
  }
}
