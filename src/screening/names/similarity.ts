/** How far two words can be the same name, from 0 (no) to 1 (equal), and why. */
import type { ReasonCode } from '../screening.js';
import type { ComparedWord } from './compared-word.js';
import { editsBetween } from './edits.js';
import { variantGroup } from './spelling-variants.js';
import { isCommonName } from './word-weights.js';

export interface Similarity {
  readonly value: number;
  readonly code: ReasonCode;
}

/** Shorter words have one typing error at most. */
const shortestWithTwoErrors = 8;

const none: Similarity = { value: 0, code: 'missing_part' };

export function similarityOf(left: ComparedWord, right: ComparedWord): Similarity {
  if (left.vowels === 'absent' || right.vowels === 'absent') {
    const isEqual = left.text === right.text && left.vowels === right.vowels;
    return isEqual ? { value: 1, code: 'exact_part' } : acrossScripts(left.consonants, right.consonants);
  }
  const spelled = bySpelling(left, right);
  const isUncertain = left.vowels === 'uncertain' || right.vowels === 'uncertain';
  const sounded = isUncertain ? byConsonants(left.consonants, right.consonants) : none;
  return spelled.value < sounded.value ? sounded : spelled;
}

/** Worth less than an equal spelling, and more than two errors; more for more consonants. */
function byConsonants(left: string, right: string): Similarity {
  if (left !== right || left.length < 3) return none;
  return { value: left.length > 4 ? 0.92 : 0.86, code: 'script' };
}

function bySpelling(left: ComparedWord, right: ComparedWord): Similarity {
  if (left.text === right.text) return { value: 1, code: 'exact_part' };
  const group = variantGroup(left.text);
  if (group !== undefined && group === variantGroup(right.text)) return { value: 0.96, code: 'spelling' };
  const shorter = Math.min(left.text.length, right.text.length);
  if (shorter < 3) return none;
  const isSameSpelling = left.folded === right.folded;
  // Two names that are both well known are two names, however few letters are between them.
  if (isCommonName(left.text) && isCommonName(right.text)) {
    return isSameSpelling ? { value: 0.9, code: 'spelling' } : none;
  }
  if (isSameSpelling) return { value: shorter < 4 ? 0.85 : 0.94, code: 'spelling' };
  return byErrors(left, right, shorter);
}

function byErrors(left: ComparedWord, right: ComparedWord, shorter: number): Similarity {
  const edits = editsBetween(left.text, right.text, shorter >= shortestWithTwoErrors ? 2 : 1);
  if (edits === 1) return { value: valueOfOneEdit(shorter), code: 'typing_error' };
  const foldedShorter = Math.min(left.folded.length, right.folded.length);
  if (foldedShorter >= 5 && editsBetween(left.folded, right.folded, 1) === 1) return { value: 0.82, code: 'spelling' };
  if (edits === 2 && shorter >= shortestWithTwoErrors) return { value: 0.78, code: 'typing_error' };
  if (soundsEqual(left, right)) return { value: 0.78, code: 'sound' };
  return none;
}

function valueOfOneEdit(length: number): number {
  if (length >= 7) return 0.9;
  if (length >= 5) return 0.84;
  return length === 4 ? 0.76 : 0.68;
}

function soundsEqual(left: ComparedWord, right: ComparedWord): boolean {
  return left.sounds.some((sound) => right.sounds.includes(sound));
}

function acrossScripts(first: string, second: string): Similarity {
  const shorter = Math.min(first.length, second.length);
  if (first === second && shorter > 0)
    return { value: shorter > 2 ? 0.92 : shorter === 2 ? 0.85 : 0.6, code: 'script' };
  if (shorter >= 3 && editsBetween(first, second, 1) === 1)
    return { value: shorter >= 4 ? 0.82 : 0.72, code: 'script' };
  return none;
}
