/** A list of people who do not exist: names made of syllables, with family names of a few regions for realism. */
import { birthRange } from '../../../src/screening/lists/birth-date.js';
import type { ListEntry } from '../../../src/screening/lists/entry.js';
import { nameLists } from './name-lists.js';
import { Random } from './random.js';

const syllables =
  'ba be bo da de di do fa fe ga go ha ja ka ke ko la le li lo ma me mi mo na ne no ra re ri ro sa se so ta te ti to va ve vo za ze zo bran drem gul hosh jor kal lind mur nesh por quil rast skov tam ulf vint wex yar zim';
const endings = ['n', 'r', 's', 'l', 'd', 'k', 'm', '', 'v', 'sh'];

/** A list of a million people has at most this many family names beside those that are usual in their country. */
const familyNames = 150_000;
/** The share of people with a usual family name of their country, in a population. Sanctions lists have fewer. */
const usualFamilyShare = 0.35;
const secondNameShare = 0.6;

export function inventedList(count: number, usualFamilies = usualFamilyShare): ListEntry[] {
  const random = new Random(11);
  const pool = Array.from({ length: Math.min(familyNames, 2 * count) }, () => inventedWord(random));
  return Array.from({ length: count }, (_, index) =>
    inventedPerson(random, { pool, usualFamilies, id: String(index + 1) }),
  );
}

/**
 * The usual names of a country come first in its lists, so that `often` gives the first one to about every tenth
 * person.
 */
function inventedPerson(
  random: Random,
  { pool, usualFamilies, id }: { pool: readonly string[]; usualFamilies: number; id: string },
): ListEntry {
  const { country, given, family } = random.pick(nameLists);
  const rareWord = () => often(pool, 3, random);
  const secondName = () => (random.next() < 0.5 ? often(given, 1.5, random) : rareWord());
  const givenNames = [often(given, 1.5, random), ...(random.next() < secondNameShare ? [secondName()] : [])];
  const familyName = random.next() < usualFamilies ? often(family, 1.5, random) : rareWord();
  const birthDate = birthRange(1940 + random.below(55), 1 + random.below(12), 1 + random.below(28));
  return {
    id,
    kind: 'person',
    names: [`${familyName.toUpperCase()}, ${givenNames.join(' ')}`],
    birthDates: birthDate ? [birthDate] : [],
    countries: [country],
  };
}

/** As in real populations, the first names are frequent and most are rare: the larger the exponent, the more so. */
function often(names: readonly string[], exponent: number, random: Random): string {
  return names[Math.floor(names.length * random.next() ** exponent)] ?? '';
}

function inventedWord(random: Random): string {
  const known = syllables.split(' ');
  const word = Array.from({ length: 2 + random.below(3) }, () => random.pick(known)).join('') + random.pick(endings);
  return (word[0] ?? '').toUpperCase() + word.slice(1);
}
