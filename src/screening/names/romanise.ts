/** Writes a name in lower-case Latin letters, whatever its script, in every way in which it is usually written. */
import anyAscii from 'any-ascii';
import { withoutInvisible } from '../../visible-text.js';
import { alphabetWords, otherCyrillic } from '../scripts/alphabets.js';
import { chineseReadings, isChinese } from '../scripts/chinese.js';
import { indicWords, isIndic } from '../scripts/indic.js';
import { japaneseReadings } from '../scripts/japanese.js';
import { isKorean, koreanSpellings, koreanWords } from '../scripts/korean.js';
import { isSemitic, semiticWords } from '../scripts/semitic.js';
import { isThai, thaiWord } from '../scripts/thai.js';
import { withJoinedLetters } from './letter-runs.js';
import { withoutLookalikes } from './lookalikes.js';
import { degrees } from './particles.js';

/**
 * How far the vowels can be relied on: `written`; `uncertain` when the Latin spelling of that script varies, so that
 * equal consonants count too; `absent` when the script has none, so that only consonants can be compared.
 */
export type Vowels = 'written' | 'uncertain' | 'absent';

export interface RomanWord {
  /** Letters a to z only, and digits. */
  readonly text: string;
  readonly vowels: Vowels;
  /** The word was joined to the one before by a hyphen. */
  readonly isHyphenated: boolean;
}

const plainName = /^[A-Za-z ,]*$/;
const loneLetters = /(?:^|[ ,])[A-Za-z][ ,]+[A-Za-z][ ,]+[A-Za-z](?:[ ,]|$)/;
const apostrophes = /['’‘`ʿʾʼʻ´ʹ′"“”׳]/gu;
const separators = /[^\p{L}\p{M}\p{N}・]+/u;
/** Nobody's name has more readings than this. */
const mostReadings = 24;

/** The words in the order in which they are written, once for each reading; the most usual reading first. */
export function romanReadings(name: string): RomanWord[][] {
  if (plainName.test(name) && !loneLetters.test(name)) return [words(name.toLowerCase().split(/[ ,]+/))];
  const prepared = withoutInvisible(withoutInvisible(name).normalize('NFKC')).replaceAll(apostrophes, '');
  const texts = [prepared, ...withoutLookalikes(prepared)];
  const joined = texts.flatMap((text) => withJoinedLetters(text) ?? []);
  return distinct([...texts, ...joined].flatMap(readingsOf)).slice(0, mostReadings);
}

/** Words with several readings change together: the second reading of a name has the second one of each word. */
function readingsOf(text: string): RomanWord[][] {
  const chunks = text
    .split(/[\s,;/()]+/u)
    .map((chunk) => (degrees.has(chunk.replaceAll('.', '').toLowerCase()) ? chunk.replaceAll('.', '') : chunk))
    .flatMap((chunk) => chunk.split('.'))
    .flatMap((chunk) =>
      chunk.split(separators).map((word, index) => ({ choices: choicesOf(word), isHyphenated: index > 0 })),
    );
  const count = Math.max(1, ...chunks.map(({ choices }) => choices.length));
  return Array.from({ length: count }, (_, reading) =>
    chunks.flatMap(({ choices, isHyphenated }) =>
      (choices[reading] ?? choices.at(-1) ?? []).map((word, position) =>
        isHyphenated && position === 0 ? { ...word, isHyphenated } : word,
      ),
    ),
  );
}

function distinct(readings: readonly RomanWord[][]): RomanWord[][] {
  return [...new Map(readings.map((reading) => [JSON.stringify(reading), reading])).values()];
}

function words(texts: readonly string[], vowels: Vowels = 'written'): RomanWord[] {
  return texts.filter((text) => text !== '').map((text) => ({ text, vowels, isHyphenated: false }));
}

/** The ways in which one word is read. */
function choicesOf(word: string): RomanWord[][] {
  if (word === '') return [];
  const alphabet = alphabetWords(word);
  if (alphabet.length > 0) return alphabet.map((text) => words([latin(text)], 'uncertain'));
  if (isKorean(word))
    return Array.from({ length: koreanSpellings }, (_, spelling) => words(koreanWords(word, spelling), 'uncertain'));
  const japanese = japaneseReadings(word).map((texts) => words(texts, 'uncertain'));
  if (isChinese(word)) return [...chineseReadings(word).map((texts) => words(texts)), ...japanese];
  if (japanese.length > 0) return japanese;
  if (isIndic(word)) return indicWords(word).map((text) => words([text], 'uncertain'));
  if (isThai(word)) return [false, true].map((isByOrigin) => words([thaiWord(word, isByOrigin)], 'absent'));
  if (isSemitic(word)) {
    return semiticWords(word).map((parts) =>
      parts.flatMap(({ text, isVowelless, isHyphenated = false }) =>
        words([text], isVowelless ? 'absent' : 'written').map((roman) => ({ ...roman, isHyphenated })),
      ),
    );
  }
  const cyrillic = otherCyrillic(word);
  return [word, ...(cyrillic === undefined ? [] : [cyrillic])].map((text) => words([latin(text)]));
}

function latin(word: string): string {
  const lower = greekPairs(word.toLowerCase());
  return anyAscii(lower)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

const greek = /\p{Script=Greek}/u;

/** Pairs of Greek letters that are one sound. */
function greekPairs(word: string): string {
  if (!greek.test(word)) return word;
  return word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/^μπ/g, 'b')
    .replaceAll(/^ντ/g, 'd')
    .replaceAll(/^γκ/g, 'g')
    .replaceAll('ου', 'u')
    .replaceAll(/([αε])υ(?=[βγδζλμνραειουηω])/g, '$1v')
    .replaceAll(/([αε])υ/g, '$1f');
}
