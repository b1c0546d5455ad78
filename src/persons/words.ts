/** The words of a name, written one way: the same person may write it with other accents, cases and spaces. Pure. */
import { withoutInvisible } from '../visible-text.js';

/** Letters that do not come apart into a base and a mark, as travel documents write them. */
const letters: Readonly<Record<string, string>> = {
  ß: 'SS',
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'OE',
  Þ: 'TH',
  Ð: 'D',
  Đ: 'D',
  Ł: 'L',
  İ: 'I',
  ı: 'I',
};

/** In upper case, as they are written, with accents. */
export function wordsOf(name: string): string[] {
  return withoutInvisible(name)
    .normalize('NFKC')
    .toUpperCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Without accents. */
export function plain(word: string): string {
  return [...word.normalize('NFC')]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '');
}

/** Equal for names of the same words, in whatever order. */
export function sortedWords(name: string): string {
  return wordsOf(name).map(plain).sort().join(' ');
}
