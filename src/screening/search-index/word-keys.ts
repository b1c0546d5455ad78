/** The keys under which a word is found again although it was written differently. */
import type { ComparedWord } from '../names/compared-word.js';
import { variantGroup } from '../names/spelling-variants.js';

/** The first letter of a key, so that a sound and a spelling are never taken for one another. */
const kinds = {
  text: 't',
  folded: 'f',
  sound: 's',
  variant: 'v',
  consonantsOfVowelless: 'c',
  consonantsOfOthers: 'k',
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const shortestWithErrors = 3;
const shortestFoldedWithErrors = 5;
const shortestConsonantsWithErrors = 3;

export function storedKeys(word: ComparedWord): Set<string> {
  if (word.vowels === 'absent') return new Set(consonantsOfVowelless(word));
  const own = [...spellingKeys(word), kinds.consonantsOfOthers + word.consonants];
  return new Set(word.vowels === 'uncertain' ? [...own, kinds.consonantsOfVowelless + word.consonants] : own);
}

/**
 * The keys under which a search looks for a word. Words with vowels are compared by consonants only with words without,
 * or with uncertain ones.
 */
export function searchedKeys(word: ComparedWord): Set<string> {
  if (word.vowels === 'absent') return new Set([...consonantsOfVowelless(word), ...consonantsOfOthers(word)]);
  const own = [...consonantsOfVowelless(word), ...spellingKeys(word)];
  return new Set(word.vowels === 'uncertain' ? [...own, kinds.consonantsOfOthers + word.consonants] : own);
}

/** For neighbouring words written as one. They are looked for without typing errors: one guess is enough. */
export function joinedKeys({ text, folded, consonants, vowels }: ComparedWord): Set<string> {
  const byConsonants = [kinds.consonantsOfOthers + consonants, kinds.consonantsOfVowelless + consonants];
  if (vowels === 'absent') return new Set(byConsonants);
  const spelled = [kinds.text + text, kinds.folded + folded, ...variantKeys(text)];
  return new Set(vowels === 'uncertain' ? [...spelled, ...byConsonants] : spelled);
}

function spellingKeys({ text, folded, sounds }: ComparedWord): string[] {
  return [
    ...keysOf(kinds.text, text, shortestWithErrors),
    ...keysOf(kinds.folded, folded, shortestFoldedWithErrors),
    ...variantKeys(text),
    ...sounds.map((sound) => kinds.sound + sound),
  ];
}

function consonantsOfVowelless({ consonants }: ComparedWord): string[] {
  return keysOf(kinds.consonantsOfVowelless, consonants, shortestConsonantsWithErrors);
}

/**
 * Few names are searched for in a script without vowels, so the search tries every error, and the index has one key.
 */
function consonantsOfOthers({ consonants }: ComparedWord): string[] {
  const others = consonants.length < shortestConsonantsWithErrors ? [] : oneErrorAway(consonants);
  return [consonants, ...others].map((text) => kinds.consonantsOfOthers + text);
}

function oneErrorAway(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, index) => {
    const [before, after, rest] = [text.slice(0, index), text.slice(index), text.slice(index + 1)];
    const wrongOrExtra = letters.flatMap((letter) => [before + letter + rest, before + letter + after]);
    const swapped = before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
    return [before + rest, swapped, ...wrongOrExtra];
  }).flat();
}

function variantKeys(text: string): string[] {
  const group = variantGroup(text);
  return group === undefined ? [] : [kinds.variant + group];
}

/**
 * The text, and the text without each of its letters: two words with one typing error between them are equal after one
 * letter was deleted from one of them or from both.
 */
function keysOf(kind: Kind, text: string, shortest: number): string[] {
  if (text.length < shortest) return [kind + text];
  const deletions = Array.from(text, (_, index) => kind + text.slice(0, index) + text.slice(index + 1));
  return [kind + text, ...deletions];
}
