/**
 * How well names are found, and how often ordinary people are flagged. The tests and `npm run bench screening` use
 * this.
 */

import type { ListEntry } from '../../src/screening/lists/entry.js';
import type { IndexedList } from '../../src/screening/loading/indexed-list.js';
import { type FoundEntry, NameIndex } from '../../src/screening/matching/name-index.js';
import { isReadable } from '../../src/screening/names/readable.js';
import type { Subject } from '../../src/screening/screening.js';
import { disguises } from './corpus/disguises.js';
import { pairsByScript } from './corpus/names-by-script.js';
import { ordinaryPeople } from './corpus/ordinary-people.js';
import { Random } from './corpus/random.js';

const matchScore = 80;

export function personIndex(entries: readonly ListEntry[]): NameIndex {
  const index = new NameIndex('person');
  for (const entry of entries) index.add(entry);
  return index;
}

/** As a snapshot searches: people and organisations. */
export function searchList({ persons, organisations }: IndexedList, subject: Subject): FoundEntry[] {
  return [...persons.search(subject, matchScore), ...organisations.search(subject, matchScore)];
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

/**
 * The share of ordinary people who match a person or an organisation: with a document that somebody has checked, or by
 * name alone, whatever birth date they claim.
 */
export function flaggedShare(list: IndexedList, count: number, isVerified: boolean): number {
  const flagged = ordinaryPeople(count).filter((person) => searchList(list, { ...person, isVerified }).length > 0);
  return flagged.length / count;
}

export interface ScriptFigure {
  readonly script: string;
  readonly tried: number;
  readonly found: number;
  /** Neither found nor given to a person to look at. */
  readonly missed: readonly string[];
}

/**
 * Whether each name is found across scripts: the list in Latin letters and the person in their own script, or the
 * reverse. The list has the names of all scripts.
 */
export function foundByScript(direction: 'listed in Latin' | 'listed in own script'): ScriptFigure[] {
  const isLatinListed = direction === 'listed in Latin';
  const pairs = [...pairsByScript].flatMap(([script, names]) => names.map((pair) => ({ script, ...pair })));
  const index = personIndex(
    pairs.map(({ own, latin }, position) => ({
      id: String(position),
      kind: 'person',
      names: [isLatinListed ? latin : own],
      birthDates: [],
      countries: [],
    })),
  );
  const tried = pairs.map(({ script, own, latin }, position) => {
    const name = isLatinListed ? own : latin;
    const found = index.search({ kind: 'person', names: [name] }, matchScore);
    return {
      script,
      name: `${own} ${latin}`,
      isFound: found.some(({ entry }) => entry.id === String(position)),
      isReadable: isReadable(own),
    };
  });
  return [...pairsByScript.keys()].map((script) => {
    const own = tried.filter((pair) => pair.script === script);
    const missed = own.filter(({ isFound, isReadable: canBeRead }) => !isFound && canBeRead);
    return {
      script,
      tried: own.length,
      found: own.filter(({ isFound }) => isFound).length,
      missed: missed.map(({ name }) => name),
    };
  });
}
