/** Builds the index of one list's persons or organisations. Runs in a worker thread for lists from files. */

import type { ListEntry } from '../lists/entry.js';
import { type ComparedWord, comparedWord } from '../names/compared-word.js';
import { type NamePart, namePartsOf } from '../names/name-parts.js';
import type { NameKind } from '../names/word-weights.js';
import { weightOf } from '../names/word-weights.js';
import { buildHashTable } from './hash.js';
import { countryNumber, type Groups, type IndexData, packGroups } from './index-data.js';
import { packTexts } from './packed-texts.js';
import { joinedKeys, storedKeys } from './word-keys.js';
import { buildPairTable } from './word-pairs.js';

/** Entries of the other kind are left out. */
export function buildIndex(entries: readonly ListEntry[], kind: NameKind): IndexData {
  const builder = new IndexBuilder(kind);
  for (const entry of entries) if (entry.kind === kind || entry.kind === 'either') builder.add(entry);
  return builder.finish();
}

interface IndexedName {
  readonly text: string;
  readonly entry: number;
  readonly words: readonly number[];
  /** Pairs: the joined word, and a bit for each part that it covers. */
  readonly joined: readonly number[];
  readonly weight: number;
  readonly hasInitials: boolean;
}

class IndexBuilder {
  readonly #words: string[] = [];
  readonly #vowelless: number[] = [];
  readonly #bounds: number[] = [];
  /** Words that are a part of a name, not only two neighbouring parts written as one. */
  readonly #isPart: boolean[] = [];
  readonly #wordByText = new Map<string, number>();
  readonly #names: IndexedName[] = [];
  readonly #entryIds: string[] = [];
  readonly #birthDates: number[][] = [];
  readonly #countries: number[][] = [];

  constructor(readonly kind: NameKind) {}

  add(entry: ListEntry): void {
    const index = this.#entryIds.push(entry.id) - 1;
    this.#birthDates.push(entry.birthDates.flatMap(({ from, to, isApproximate }) => [from, to, isApproximate ? 1 : 0]));
    this.#countries.push(entry.countries.map(countryNumber));
    for (const name of new Set(entry.names)) this.#addName(name, index);
  }

  #addName(text: string, entry: number): void {
    const { parts, joined } = namePartsOf(text, this.kind);
    if (parts.length === 0) return;
    this.#names.push({
      text,
      entry,
      words: parts.map((part) => this.#partOf(part)),
      joined: joined.flatMap(({ text: joinedText, isVowelless, covers }) => {
        const weight = covers.reduce((sum, part) => sum + (parts[part]?.weight ?? 0), 0);
        const mask = covers.reduce((bits, part) => bits | (1 << part), 0);
        return [this.#wordOf(joinedText, isVowelless, weight), mask];
      }),
      weight: parts.reduce((sum, part) => sum + part.weight, 0),
      hasInitials: parts.some((part) => part.text.length === 1),
    });
  }

  #partOf({ text, isVowelless, weight }: NamePart): number {
    const word = this.#wordOf(text, isVowelless, weight);
    this.#isPart[word] = true;
    return word;
  }

  /** The number of the word. `bound` is what a name gains by it. */
  #wordOf(text: string, isVowelless: boolean, bound: number): number {
    const key = isVowelless ? `${text} ` : text;
    const known = this.#wordByText.get(key);
    if (known !== undefined) {
      this.#bounds[known] = Math.max(this.#bounds[known] ?? 0, bound);
      return known;
    }
    const word = this.#words.push(text) - 1;
    this.#wordByText.set(key, word);
    this.#vowelless.push(isVowelless ? 1 : 0);
    this.#bounds.push(bound);
    return word;
  }

  finish(): IndexData {
    const compared = this.#words.map((text, word) => comparedWord(text, this.#vowelless[word] === 1));
    const primaryNames = firstNames(this.#names, this.#entryIds.length);
    const names = this.#names.sort(byInitialsAndWeight);
    return {
      words: packTexts(this.#words),
      foldedWords: packTexts(compared.map(({ folded }) => folded)),
      soundsOfWords: packTexts(compared.map(({ sounds }) => sounds.join(' '))),
      consonantsOfWords: packTexts(compared.map(({ consonants }) => consonants)),
      vowelless: Uint8Array.from(this.#vowelless),
      wordWeights: Float32Array.from(this.#words, (word) => weightOf(word, this.kind)),
      wordBounds: Float32Array.from(this.#bounds),
      keys: keyTable(compared, this.#isPart),
      namesOfWord: namesOfWords(names, this.#words.length),
      namesOfPair: buildPairTable(names),
      partsOfName: packGroups(names.map(({ words }) => words)),
      joinedOfName: packGroups(names.map(({ joined }) => joined)),
      nameWeights: Float32Array.from(names, ({ weight }) => weight),
      initialNames: names.filter(({ hasInitials }) => hasInitials).length,
      entryOfName: Uint32Array.from(names, ({ entry }) => entry),
      birthDays: Uint32Array.from(names, ({ entry }) => onlyDay(this.#birthDates[entry] ?? [])),
      names: packTexts(names.map(({ text }) => text)),
      entryIds: packTexts(this.#entryIds),
      primaryNames: packTexts(primaryNames),
      birthDatesOfEntry: packGroups(this.#birthDates),
      countriesOfEntry: packGroups(this.#countries),
    };
  }
}

function byInitialsAndWeight(left: IndexedName, right: IndexedName): number {
  return Number(right.hasInitials) - Number(left.hasInitials) || left.weight - right.weight;
}

function onlyDay([from = 0, to, isApproximate, ...more]: readonly number[]): number {
  return from === to && isApproximate === 0 && more.length === 0 ? from : 0;
}

function firstNames(names: readonly IndexedName[], entries: number): string[] {
  const first = new Array<string>(entries).fill('');
  for (const { entry, text } of names) first[entry] ||= text;
  return first;
}

function namesOfWords(names: readonly IndexedName[], words: number): Groups {
  const groups: number[][] = Array.from({ length: words }, () => []);
  for (const [number, name] of names.entries()) {
    for (const word of new Set(wordsOf(name))) groups[word]?.push(number);
  }
  return packGroups(groups);
}

/** The parts of a name, and its neighbouring parts written as one. */
function wordsOf({ words, joined }: IndexedName): number[] {
  return [...words, ...joined.filter((_, index) => index % 2 === 0)];
}

function keyTable(words: readonly ComparedWord[], isPart: readonly boolean[]): IndexData['keys'] {
  const hashes: number[] = [];
  const values: number[] = [];
  for (const [word, compared] of words.entries()) {
    for (const key of isPart[word] ? storedKeys(compared) : joinedKeys(compared).alike) {
      hashes.push(key);
      values.push(word);
    }
  }
  return buildHashTable(hashes, values);
}
