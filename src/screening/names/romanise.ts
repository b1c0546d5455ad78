/** Writes a name in lower-case Latin letters, whatever its script. */
import anyAscii from 'any-ascii';
import { chineseWords, isChinese } from './chinese.js';
import { isKorean, koreanWords } from './korean.js';

export interface RomanWord {
  /** Letters a to z only, and digits. */
  readonly text: string;
  /** The script writes few vowels (Arabic, Hebrew), so that only consonants can be compared. */
  readonly isVowelless: boolean;
  /** The word was joined to the one before by a hyphen. */
  readonly isHyphenated: boolean;
}

const plainName = /^[A-Za-z ,]*$/;
const vowellessScript = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;
const apostrophes = /['’‘`ʿʾʼʻ´ʹ′"“”]/gu;
const separators = /[^\p{L}\p{M}\p{N}]+/u;

/** The words in the order in which they are written. */
export function romanWords(name: string): RomanWord[] {
  if (plainName.test(name)) return words(name.toLowerCase().split(/[ ,]+/));
  const prepared = name.normalize('NFKC').replaceAll(apostrophes, '');
  return prepared.split(/[\s,;./()]+/u).flatMap((chunk) => hyphenatedWords(chunk));
}

function words(texts: readonly string[]): RomanWord[] {
  return texts.filter((text) => text !== '').map((text) => ({ text, isVowelless: false, isHyphenated: false }));
}

function hyphenatedWords(chunk: string): RomanWord[] {
  return chunk
    .split(separators)
    .flatMap((word, index) =>
      scriptWords(word).map((roman, position) => ({ ...roman, isHyphenated: index > 0 && position === 0 })),
    );
}

/** Particles are recognised by their Latin form, which has vowels. */
const particlesOfVowelless: Readonly<Record<string, string>> = {
  بن: 'bin',
  ابن: 'ibn',
  بنت: 'bint',
  أبو: 'abu',
  ابو: 'abu',
  أبي: 'abu',
  عبد: 'abd',
  בן: 'ben',
  בת: 'bat',
};

function scriptWords(word: string): RomanWord[] {
  if (word === '') return [];
  if (isChinese(word)) return words(chineseWords(word));
  if (isKorean(word)) return words(koreanWords(word));
  if (!vowellessScript.test(word)) return words([latin(word)]);
  const particle = particlesOfVowelless[word];
  if (particle !== undefined) return words([particle]);
  const [article, rest] = withoutArticle(word);
  const noun = { text: latin(withLongVowels(rest)), isVowelless: true, isHyphenated: false };
  return [...words(article), noun].filter(({ text }) => text !== '');
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

/** The article al- is written as a part of the word that follows. */
function withoutArticle(word: string): [article: string[], rest: string] {
  return /^ال..../u.test(word) ? [['al'], word.slice(2)] : [[], word];
}

/** The library leaves long vowels and silent letters out, although Arabic writes them. */
function withLongVowels(word: string): string {
  return word
    .replaceAll(/[\u064b-\u065f\u0640\u0591-\u05c7]/g, '')
    .replaceAll(/[اآأإٱى]/g, 'a')
    .replaceAll('ة', 'a')
    .replaceAll(/[עאع]/g, 'a')
    .replaceAll('ו', 'w')
    .replaceAll('ב', 'b')
    .replaceAll('ظ', 'z')
    .replaceAll(/[ئؤء]/g, '');
}
