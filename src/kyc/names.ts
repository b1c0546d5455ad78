/** Names made comparable: the same person may write his with or without accents, in another order, with other spaces. */
import { createHmac } from 'node:crypto';
import type { MerchantId } from '../ids.js';
import type { Answers } from './requirements.js';

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
const withE: Readonly<Record<string, string>> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', Å: 'AA', Ø: 'OE', Ñ: 'N' };

/** Each word of a name in every way in which a document may write it. */
export function foldedNames(name: string): string[] {
  return wordsOf(name).flatMap((word) => {
    const composed = word.normalize('NFC');
    const spelled = [...composed].map((letter) => withE[letter] ?? letter).join('');
    return [...new Set([plain(composed), plain(spelled)])];
  });
}

/**
 * A keyed hash of name and birth date: equal for the same person, of no use to whoever reads the table without the
 * key, and another one at every merchant.
 */
export function personHash(key: Buffer, merchantId: MerchantId, answers: Answers): Buffer {
  const { firstName = '', lastName = '', dateOfBirth = '' } = answers;
  const name = wordsOf(`${firstName} ${lastName}`).map(plain).sort().join(' ');
  return createHmac('sha256', key)
    .update(JSON.stringify([merchantId, name, dateOfBirth]))
    .digest();
}

function wordsOf(name: string): string[] {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

function plain(word: string): string {
  return [...word.normalize('NFC')]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '');
}
