/** Compares names: the same person may write a name with or without accents, in another order, with other spaces. */
import { createHmac } from 'node:crypto';
import type { MerchantId } from '../../ids.js';
import { plain, sortedWords, wordsOf } from '../../persons/words.js';
import type { Answers } from '../cases/requirements.js';

const withE: Readonly<Record<string, string>> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', Å: 'AA', Ø: 'OE', Ñ: 'N' };

/** Each word of a name in every way in which a document may write it. */
export function foldedNames(name: string): string[] {
  return wordsOf(name).flatMap((word) => {
    const composed = word.normalize('NFC');
    const spelled = [...composed].map((letter) => withE[letter] ?? letter).join('');
    return [...new Set([plain(composed), plain(spelled)])];
  });
}

export interface PersonName {
  readonly firstName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly secondSurname?: string | undefined;
}

/**
 * Whether a declared name can be the registered one. The registered first name and the registered last name must each
 * share a word with the declared names. The order of the names, case, accents, spaces, missing words, initials and one
 * wrong letter in a long word make no difference. Names in different scripts do not resemble each other.
 */
export function resembles(declared: PersonName, registered: PersonName): boolean {
  const { firstName, middleName, lastName, secondSurname } = declared;
  const known = withJoined([firstName, middleName, lastName, secondSurname].join(' '));
  const matches = [registered.firstName, registered.lastName]
    .map((name) => withJoined(name ?? ''))
    .filter((words) => words.length > 0)
    .map((words) => bestMatch(words, known));
  return matches.includes('word') && !matches.includes('none');
}

type WordMatch = 'word' | 'initial' | 'none';

function bestMatch(words: readonly string[], known: readonly string[]): WordMatch {
  const found = words.flatMap((word) => known.map((knownWord) => matchOf(word, knownWord)));
  return found.includes('word') ? 'word' : found.includes('initial') ? 'initial' : 'none';
}

function matchOf(left: string, right: string): WordMatch {
  if (left === right && left.length > 1) return 'word';
  const isInitial = left.length === 1 || right.length === 1;
  if (isInitial) return left[0] === right[0] ? 'initial' : 'none';
  return Math.min(left.length, right.length) >= 5 && differInOneLetter(left, right) ? 'word' : 'none';
}

/** A letter that is wrong, missing or too many. */
function differInOneLetter(first: string, second: string): boolean {
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first];
  if (longer.length - shorter.length > 1) return false;
  let same = 0;
  while (same < shorter.length && shorter[same] === longer[same]) same += 1;
  return shorter.slice(longer.length === shorter.length ? same + 1 : same) === longer.slice(same + 1);
}

const particles = new Set('AL BIN BINT DA DAS DE DEL DER DI DO DOS DU EL IBN LA LAS LE LOS VAN VON Y'.split(' '));

/** The words of a name, and neighbours written as one (De la Cruz, Delacruz). A particle alone tells nobody apart. */
function withJoined(name: string): string[] {
  const words = wordsOf(name);
  const joined = [2, 3].flatMap((count) =>
    words.slice(count - 1).map((_, start) => words.slice(start, start + count).join('')),
  );
  const telling = words.filter((word) => !particles.has(word));
  return [...(telling.length > 0 ? telling : words), ...joined].flatMap(foldedNames);
}

/**
 * A keyed hash of name and birth date: equal for the same person, of no use to whoever reads the table without the
 * key, and another one at every merchant.
 */
export function personHash(key: Buffer, merchantId: MerchantId, answers: Answers): Buffer {
  const { firstName = '', lastName = '', dateOfBirth = '' } = answers;
  const name = sortedWords(`${firstName} ${lastName}`);
  return createHmac('sha256', key)
    .update(JSON.stringify([merchantId, name, dateOfBirth]))
    .digest();
}
