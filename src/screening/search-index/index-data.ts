/**
 * The searchable form of one list's persons or organisations: flat arrays only. A worker thread builds them and hands
 * their memory over, so that loading a list neither blocks the event loop nor creates objects for the garbage collector.
 */
import type { HashTable } from './hash.js';
import type { PackedTexts } from './packed-texts.js';

/** Groups of numbers: group n is from `starts[n]` to `starts[n + 1]` in `values`. */
export interface Groups {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

export interface IndexData {
  /** Every different word, with its other forms: making them takes longer than reading. Sounds are separated by spaces. */
  readonly words: PackedTexts;
  readonly foldedWords: PackedTexts;
  readonly soundsOfWords: PackedTexts;
  readonly consonantsOfWords: PackedTexts;
  /** 1 for words of a script without vowels. */
  readonly vowelless: Uint8Array;
  readonly wordWeights: Float32Array;
  /** The most that a name can gain by this word: more than its weight when it stands for two words. */
  readonly wordBounds: Float32Array;
  readonly keys: HashTable;
  /** For each word, the names that contain it. */
  readonly namesOfWord: Groups;
  /** For each pair of words, the names that contain both. */
  readonly namesOfPair: HashTable;
  /** For each name, its words, and its neighbouring words written as one (word, bit mask of the parts it covers). */
  readonly partsOfName: Groups;
  readonly joinedOfName: Groups;
  /** Names are numbered by weight, except that names with initials come first. `initialNames` is how many those are. */
  readonly nameWeights: Float32Array;
  readonly initialNames: number;
  readonly entryOfName: Uint32Array;
  /**
   * For each name the birth date of its entry, such as 19700131, if it has exactly one and to the day; otherwise 0. It rules
   * most names out with one look at the memory.
   */
  readonly birthDays: Uint32Array;
  readonly names: PackedTexts;
  readonly entryIds: PackedTexts;
  readonly primaryNames: PackedTexts;
  /** For each entry, its birth dates (from, to, approximate) and its countries (two letters in one number). */
  readonly birthDatesOfEntry: Groups;
  readonly countriesOfEntry: Groups;
}

/** The memory behind all arrays, to be handed to another thread. */
export function buffersOf(data: IndexData): ArrayBuffer[] {
  const arrays: unknown[] = Object.values(data).flatMap((value) =>
    ArrayBuffer.isView(value) || typeof value === 'number' ? [value] : Object.values(value as object),
  );
  return [...new Set(arrays.flatMap((array) => (ArrayBuffer.isView(array) ? [array.buffer as ArrayBuffer] : [])))];
}

export function bytesOf(data: IndexData): number {
  return buffersOf(data).reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

export function packGroups(groups: readonly (readonly number[])[]): Groups {
  const starts = new Uint32Array(groups.length + 1);
  for (const [index, group] of groups.entries()) starts[index + 1] = (starts[index] ?? 0) + group.length;
  const values = new Uint32Array(starts[groups.length] ?? 0);
  for (const [index, group] of groups.entries()) values.set(group, starts[index] ?? 0);
  return { starts, values };
}

export function groupOf({ starts, values }: Groups, index: number): Uint32Array {
  return values.subarray(starts[index] ?? 0, starts[index + 1] ?? 0);
}

export function countryNumber(code: string): number {
  return code.charCodeAt(0) * 256 + code.charCodeAt(1);
}
