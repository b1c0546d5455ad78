/** The keys under which a word is found again although it was written differently. */
import type { ComparedWord } from '../names/compared-word.js';
import { variantGroup } from '../names/spelling-variants.js';
import { hashOf } from './hash.js';

const kinds = {
  text: 1,
  folded: 2,
  sound: 3,
  variant: 4,
  consonantsOfVowelless: 5,
  consonantsOfOthers: 6,
} as const;
const shortestWithErrors = 3;
const shortestFoldedWithErrors = 5;
const shortestConsonantsWithErrors = 3;

/** The keys under which the index stores a word. */
export function storedKeys(word: ComparedWord): Set<number> {
  if (word.isVowelless) return consonantKeys(kinds.consonantsOfVowelless, word.consonants);
  return new Set([...spellingKeys(word), ...consonantKeys(kinds.consonantsOfOthers, word.consonants)]);
}

export interface SearchedKeys {
  /** What is found under them must be compared to tell whether it resembles the word. */
  readonly alike: ReadonlySet<number>;
  /** What is found under them and nowhere else resembles the word only by its letters. Most of it does not. */
  readonly byLetters: ReadonlySet<number>;
}

const none: ReadonlySet<number> = new Set();

/** The keys under which a search looks for a word. Words with vowels are compared by consonants only with words without. */
export function searchedKeys(word: ComparedWord): SearchedKeys {
  const among = consonantKeys(kinds.consonantsOfVowelless, word.consonants);
  const others = word.isVowelless ? consonantKeys(kinds.consonantsOfOthers, word.consonants) : letterKeys(word);
  const alike = word.isVowelless ? none : new Set(soundKeys(word));
  return { alike, byLetters: new Set([...among, ...others]) };
}

/** For neighbouring words written as one. They are looked for without typing errors: one guess is enough. */
export function joinedKeys({ text, folded, consonants, isVowelless }: ComparedWord): SearchedKeys {
  if (isVowelless) {
    const both = [kinds.consonantsOfOthers, kinds.consonantsOfVowelless];
    return { alike: new Set(both.map((kind) => hashOf(kind, consonants))), byLetters: none };
  }
  const keys = [hashOf(kinds.text, text), hashOf(kinds.folded, folded), ...variantKeys(text)];
  return { alike: new Set(keys), byLetters: none };
}

function spellingKeys(word: ComparedWord): Set<number> {
  return new Set([...letterKeys(word), ...soundKeys(word)]);
}

function letterKeys({ text, folded }: ComparedWord): Set<number> {
  const keys = new Set([hashOf(kinds.text, text), hashOf(kinds.folded, folded)]);
  if (text.length >= shortestWithErrors) addDeletions(keys, kinds.text, text);
  if (folded.length >= shortestFoldedWithErrors) addDeletions(keys, kinds.folded, folded);
  return keys;
}

function soundKeys({ text, sounds }: ComparedWord): number[] {
  return [...variantKeys(text), ...sounds.map((sound) => hashOf(kinds.sound, sound))];
}

function variantKeys(text: string): number[] {
  const group = variantGroup(text);
  return group === undefined ? [] : [hashOf(kinds.variant, String(group))];
}

function consonantKeys(kind: number, skeleton: string): Set<number> {
  const keys = new Set([hashOf(kind, skeleton)]);
  if (skeleton.length >= shortestConsonantsWithErrors) addDeletions(keys, kind, skeleton);
  return keys;
}

/** Two words with one typing error between them are equal after one letter was deleted from one of them or from both. */
function addDeletions(keys: Set<number>, kind: number, text: string): void {
  for (let index = 0; index < text.length; index += 1) {
    keys.add(hashOf(kind, text.slice(0, index) + text.slice(index + 1)));
  }
}
