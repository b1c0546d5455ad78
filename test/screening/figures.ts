/**
 * How well names are found, and how often ordinary people are flagged. The tests and `npm run bench screening` use
 * this.
 */

import type { ListEntry } from '../../src/screening/lists/entry.js';
import { NameIndex } from '../../src/screening/matching/name-index.js';
import type { Subject } from '../../src/screening/screening.js';
import { disguises } from './corpus/disguises.js';
import { ordinaryPeople } from './corpus/ordinary-people.js';
import { publicFigures } from './corpus/public-figures.js';
import { Random } from './corpus/random.js';

export const matchScore = 80;

export function personIndex(entries: readonly ListEntry[]): NameIndex {
  const index = new NameIndex('person');
  for (const entry of entries) index.add(entry);
  return index;
}

export interface Recall {
  readonly disguise: string;
  readonly tried: number;
  readonly found: number;
}

/** Each person in each disguise, by name alone or with the listed birth date too. */
export function recall(index: NameIndex, people: readonly ListEntry[], withBirthDate: boolean): Recall[] {
  const random = new Random(7);
  return Object.entries(disguises).map(([disguise, write]) => {
    const disguised = people.flatMap((entry) => {
      const name = write(entry.names[0] ?? '', random);
      return name === undefined ? [] : [{ entry, subject: subjectOf(entry, name, withBirthDate) }];
    });
    const found = disguised.filter(({ entry, subject }) =>
      index.search(subject, matchScore).some((match) => match.entry.id === entry.id),
    );
    return { disguise, tried: disguised.length, found: found.length };
  });
}

function subjectOf({ birthDates: [date] }: ListEntry, name: string, withBirthDate: boolean): Subject {
  const subject: Subject = { kind: 'person', names: [name] };
  if (!withBirthDate || !date) return subject;
  const digits = String(date.from);
  const year = digits.slice(0, 4);
  const birthDate = date.from === date.to ? `${year}-${digits.slice(4, 6)}-${digits.slice(6)}` : year;
  return { ...subject, birthDate };
}

export function shareOf(figures: readonly { tried: number; found: number }[]): number {
  const sum = (key: 'tried' | 'found') => figures.reduce((total, figure) => total + figure[key], 0);
  return sum('found') / sum('tried');
}

/** The share of ordinary people who match somebody. */
export function flaggedShare(index: NameIndex, count: number, withBirthDate: boolean): number {
  const flagged = ordinaryPeople(count).filter(({ birthDate, ...person }) => {
    const subject: Subject = withBirthDate ? { ...person, birthDate } : person;
    return index.search(subject, matchScore).length > 0;
  });
  return flagged.length / count;
}

/**
 * Whether each public figure is found across scripts: the list in Latin letters, the person in their own script, or the
 * reverse.
 */
export function figuresFound(direction: 'listed in Latin' | 'listed in own script'): Recall[] {
  const isLatinListed = direction === 'listed in Latin';
  const index = personIndex(
    publicFigures.map(([, own, latin], position) => ({
      id: String(position),
      kind: 'person',
      names: [isLatinListed ? latin : own],
      birthDates: [],
      countries: [],
    })),
  );
  return [...new Set(publicFigures.map(([script]) => script))].map((script) => {
    const figures = publicFigures.flatMap((figure, position) => (figure[0] === script ? [{ figure, position }] : []));
    const found = figures.filter(({ figure: [, own, latin], position }) =>
      index
        .search({ kind: 'person', names: [isLatinListed ? own : latin] }, matchScore)
        .some(({ entry }) => entry.id === String(position)),
    );
    return { disguise: script, tried: figures.length, found: found.length };
  });
}
