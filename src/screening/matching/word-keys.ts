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

/** The keys under which a search looks for a word. Words with vowels are compared by consonants only with words without. */
export function searchedKeys(word: ComparedWord): Set<number> {
  const among = consonantKeys(kinds.consonantsOfVowelless, word.consonants);
  const others = word.isVowelless
    ? consonantKeys(kinds.consonantsOfOthers, word.consonants)
    : spellingKeys(word);
  return new Set([...among, ...others]);
}

/** For neighbouring words written as one. They are looked for without typing errors: one guess is enough. */
export function joinedKeys({ text, folded, consonants, isVowelless }: ComparedWord): Set<number> {
  if (isVowelless)
    return new Set([
      hashOf(kinds.consonantsOfOthers, consonants),
      hashOf(kinds.consonantsOfVowelless, consonants),
    ]);
  const group = variantGroup(text);
  const variant = group === undefined ? [] : [hashOf(kinds.variant, String(group))];
  return new Set([hashOf(kinds.text, text), hashOf(kinds.folded, folded), ...variant]);
}

function spellingKeys({ text, folded, sounds }: ComparedWord): Set<number> {
  const keys = new Set([hashOf(kinds.text, text), hashOf(kinds.folded, folded)]);
  const group = variantGroup(text);
  if (group !== undefined) keys.add(hashOf(kinds.variant, String(group)));
  if (text.length >= shortestWithErrors) addDeletions(keys, kinds.text, text);
  if (folded.length >= shortestFoldedWithErrors) addDeletions(keys, kinds.folded, folded);
  for (const sound of sounds) keys.add(hashOf(kinds.sound, sound));
  return keys;
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
