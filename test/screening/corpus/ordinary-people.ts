/** People as a remittance service meets them: usual names of several countries, with birth dates and nationality. */
import type { Subject } from '../../../src/screening/screening.js';
import { type NameList, nameLists } from './name-lists.js';
import { Random } from './random.js';

export function ordinaryPeople(count: number, seed = 1): Required<Omit<Subject, 'isVerified'>>[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => {
    const names = nameLists[index % nameLists.length] as NameList;
    return {
      kind: 'person',
      names: [nameFrom(names, random)],
      birthDate: birthDate(random),
      countries: [names.country],
    };
  });
}

function nameFrom({ patterns, given, family }: NameList, random: Random): string {
  return [...random.pick(patterns)]
    .map((letter) => random.pick(letter === 'F' ? family : given))
    .filter((word, index, words) => words.indexOf(word) === index)
    .join(' ');
}

function birthDate(random: Random): string {
  const day = new Date(Date.UTC(1948 + random.below(60), random.below(12), 1 + random.below(28)));
  return day.toISOString().slice(0, 10);
}
