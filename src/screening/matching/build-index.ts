/** Builds the index of one list's persons or organisations. Runs in a worker thread for lists from files. */
import type { NameKind } from '../names/common-words.js';
import { weightOf } from '../names/common-words.js';
import { comparedWord } from '../names/compared-word.js';
import { namePartsOf } from '../names/name-parts.js';
import { searchOrder } from './candidates.js';
import type { ListEntry } from './entry.js';
import { buildHashTable } from './hash.js';
import { countryNumber, type Groups, type IndexData, packGroups } from './index-data.js';
import { packTexts } from './packed-texts.js';
import { storedKeys } from './word-keys.js';

/** Entries of the other kind are left out. */
export function buildIndex(entries: readonly ListEntry[], kind: NameKind): IndexData {
  const builder = new IndexBuilder(kind);
  for (const entry of entries) if (entry.kind === kind || entry.kind === 'either') builder.add(entry);
  return builder.finish();
}

class IndexBuilder {
  readonly #words: string[] = [];
  readonly #vowelless: number[] = [];
  readonly #bounds: number[] = [];
  readonly #wordByText = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #parts: number[][] = [];
  readonly #joined: number[][] = [];
  readonly #nameWeights: number[] = [];
  readonly #initials: number[] = [];
  readonly #entryOfName: number[] = [];
  readonly #entryIds: string[] = [];
  readonly #namesOfEntry: number[][] = [];
  readonly #birthDates: number[][] = [];
  readonly #countries: number[][] = [];

  constructor(readonly kind: NameKind) {}

  add(entry: ListEntry): void {
    const index = this.#entryIds.push(entry.id) - 1;
    this.#birthDates.push(
      entry.birthDates.flatMap(({ from, to, isApproximate }) => [from, to, isApproximate ? 1 : 0]),
    );
    this.#countries.push(entry.countries.map(countryNumber));
    this.#namesOfEntry.push([...new Set(entry.names)].flatMap((name) => this.#addName(name, index)));
  }

  #addName(name: string, entry: number): number[] {
    const { parts, joined } = namePartsOf(name, this.kind);
    if (parts.length === 0) return [];
    const words = parts.map(({ text, isVowelless, weight }) => this.#wordOf(text, isVowelless, weight));
    this.#parts.push(words);
    this.#joined.push(
      joined.flatMap(({ text, isVowelless, covers }) => {
        const weight = covers.reduce((sum, part) => sum + (parts[part]?.weight ?? 0), 0);
        const mask = covers.reduce((bits, part) => bits | (1 << part), 0);
        return [this.#wordOf(text, isVowelless, weight), mask];
      }),
    );
    this.#nameWeights.push(parts.reduce((sum, part) => sum + part.weight, 0));
    this.#initials.push(parts.filter(({ text }) => text.length === 1).length);
    this.#entryOfName.push(entry);
    return [this.#names.push(name) - 1];
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
    return {
      words: packTexts(this.#words),
      vowelless: Uint8Array.from(this.#vowelless),
      wordWeights: Float32Array.from(this.#words, (word) => weightOf(word, this.kind)),
      wordBounds: Float32Array.from(this.#bounds),
      keys: this.#keyTable(),
      namesOfWord: this.#postings(),
      partsOfName: packGroups(this.#parts),
      joinedOfName: packGroups(this.#joined),
      nameWeights: Float32Array.from(this.#nameWeights),
      initialsOfName: Uint8Array.from(this.#initials),
      entryOfName: Uint32Array.from(this.#entryOfName),
      names: packTexts(this.#names),
      entryIds: packTexts(this.#entryIds),
      namesOfEntry: packGroups(this.#namesOfEntry),
      birthDatesOfEntry: packGroups(this.#birthDates),
      countriesOfEntry: packGroups(this.#countries),
    };
  }

  #keyTable(): IndexData['keys'] {
    const hashes: number[] = [];
    const values: number[] = [];
    for (const [word, text] of this.#words.entries()) {
      const keys = storedKeys(comparedWord(text, this.#vowelless[word] === 1));
      for (const key of keys) {
        hashes.push(key);
        values.push(word);
      }
    }
    return buildHashTable(hashes, values);
  }

  /** The names of each word, those with the least weight first, so that a search can stop early. */
  #postings(): Groups {
    const groups: number[][] = this.#words.map(() => []);
    const order = this.#nameWeights.map((weight, name) => searchOrder(weight, this.#initials[name] ?? 0));
    const sorted = order
      .map((_, name) => name)
      .sort((left, right) => (order[left] ?? 0) - (order[right] ?? 0));
    for (const name of sorted) {
      const joined = (this.#joined[name] ?? []).filter((_, index) => index % 2 === 0);
      for (const word of new Set([...(this.#parts[name] ?? []), ...joined])) groups[word]?.push(name);
    }
    return packGroups(groups);
  }
}
