/** Names in Arabic, Persian and Hebrew letters, which write few vowels: mostly the consonants are compared. */
import anyAscii from 'any-ascii';
import { latinGivenName, plainLetters } from './semitic-names.js';

const semitic = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;

export interface SemiticWord {
  readonly text: string;
  readonly isVowelless: boolean;
  /** Written together with the name before it. */
  readonly isHyphenated?: boolean;
}

export function isSemitic(word: string): boolean {
  return semitic.test(word);
}

/** Particles are recognised by their Latin form, which has vowels. */
const particles: Readonly<Record<string, string>> = {
  بن: 'bin',
  ابن: 'ibn',
  بنت: 'bint',
  ابو: 'abu',
  ابي: 'abu',
  عبد: 'abd',
  בן: 'ben',
  בת: 'bat',
};

/** As it is written; if it is a usual name, with its vowels; otherwise with the other sounds that a letter has. */
export function semiticWords(written: string): SemiticWord[][] {
  const word = plainLetters(written);
  const particle = particles[word];
  if (particle !== undefined) return [[named(particle)]];
  const [article, noun] = withoutArticle(word);
  const before = article.map(named);
  const known = knownNames(word) ?? knownNames(noun);
  const asWritten = [vowelless(noun)];
  return [asWritten, known ?? asWritten, known ?? [vowelless(withOtherSounds(noun))]].map((parts) => [
    ...before,
    ...parts,
  ]);
}

/** A given name, or two that are written as one: Mohammadbagher. */
function knownNames(word: string): SemiticWord[] | undefined {
  const whole = latinGivenName(word);
  if (whole !== undefined) return [named(whole)];
  for (let end = 3; end <= word.length - 3; end += 1) {
    const [first, second] = [latinGivenName(word.slice(0, end)), latinGivenName(word.slice(end))];
    if (first && second) return [named(first), { ...named(second), isHyphenated: true }];
  }
  return undefined;
}

function named(text: string): SemiticWord {
  return { text, isVowelless: false };
}

function vowelless(word: string): SemiticWord {
  return { text: latin(withLongVowels(word)), isVowelless: true };
}

/** The article al- is written as a part of the word that follows. */
function withoutArticle(word: string): [article: string[], rest: string] {
  return /^ال.../u.test(word) ? [['al'], word.slice(2)] : [[], word];
}

/** The library leaves long vowels and silent letters out, although Arabic writes them. */
function withLongVowels(word: string): string {
  return word
    .replaceAll(/[اةעאع]/g, 'a')
    .replace(/^ו(?=.)/u, 'v')
    .replaceAll('וו', 'v')
    .replaceAll('ו', 'w')
    .replaceAll('ב', 'b')
    .replaceAll('ظ', 'z')
    .replaceAll(/[ئؤء]/g, '');
}

/** Chet and kaf are also written ch; vav and waw are v inside a word. */
function withOtherSounds(word: string): string {
  return word
    .replaceAll(/[חכך]/gu, 'ch')
    .replaceAll(/(?<=.)ו(?=[א-ת])/gu, 'v')
    .replaceAll(/(?<=.)و(?=.)/gu, 'v');
}

function latin(word: string): string {
  return anyAscii(word.toLowerCase())
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
