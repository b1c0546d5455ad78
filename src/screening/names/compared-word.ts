/** A word with the forms of it that are compared. They are made once for each word. */
import { doubleMetaphone } from 'double-metaphone';
import { consonants, foldSpelling } from './fold.js';
import type { Vowels } from './romanise.js';

export interface ComparedWord {
  readonly text: string;
  readonly folded: string;
  /** How it sounds, in up to two ways; empty when it is too short to be told by its sound. */
  readonly sounds: readonly string[];
  readonly consonants: string;
  readonly vowels: Vowels;
}

const shortestWithSound = 5;
const shortestSound = 4;

export function comparedWord(text: string, vowels: Vowels): ComparedWord {
  return {
    text,
    folded: foldSpelling(text),
    sounds: vowels === 'absent' ? [] : soundsOf(text),
    consonants: consonants(text, vowels === 'absent'),
    vowels,
  };
}

function soundsOf(text: string): string[] {
  if (text.length < shortestWithSound) return [];
  return [...new Set(doubleMetaphone(text))].filter((sound) => sound.length >= shortestSound);
}
