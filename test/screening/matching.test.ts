import { describe, expect, it } from 'vitest';
import { birthRange, birthRelation, readBirthDate } from '../../src/screening/lists/birth-date.js';
import type { ListEntry } from '../../src/screening/lists/entry.js';
import { indexEntries } from '../../src/screening/loading/indexed-list.js';
import type { Subject } from '../../src/screening/screening.js';
import { ScreeningSnapshot } from '../../src/screening/snapshot.js';

function entry(id: string, names: string[], more: Partial<ListEntry> = {}): ListEntry {
  return { id, kind: 'person', names, birthDates: [], countries: [], ...more };
}

function snapshotOf(entries: readonly ListEntry[], matchScore = 80): ScreeningSnapshot {
  const { persons, organisations, exposed } = indexEntries(entries);
  const list = { name: 'test', version: '1', persons, organisations, exposed };
  return new ScreeningSnapshot([list], { isUsable: true }, { matchScore, strongScore: 95 });
}

const born = birthRange(1957, 7, 30);
const snapshot = snapshotOf([
  entry('1', ['BIN LADIN, Usama bin Muhammad', 'BIN LADEN, Osama'], {
    birthDates: born ? [born] : [],
    countries: ['SA'],
  }),
  entry('2', ['QADHAFI, Muammar Muhammad']),
  entry('3', ['PATRUSHEV, Nikolai Platonovich'], { birthDates: [birthRange(1951, 7, 11) ?? never()] }),
  entry('4', ['KIM, Jong Un']),
  entry('5', ["'ABD AL-RAHMAN, Shadi"]),
  entry('6', ['GARCIA LOPEZ, Juan'], { birthDates: [birthRange(1970, 1, 1) ?? never()] }),
  entry('7', ['ORION DEEPWATER SHIPPING CO. LTD.'], { kind: 'organisation' }),
  entry('8', ['VAN DER BROUWER, Joost']),
]);

function never(): never {
  throw new Error('the date exists');
}

function idsFor(name: string, more: Partial<Subject> = {}): string[] {
  return snapshot.screen({ kind: 'person', names: [name], ...more }).map(({ entryId }) => entryId);
}

describe('a listed person is found', () => {
  it.each([
    ['in any order', 'Platonovich Nikolai Patrushev', '3'],
    ['in capitals and with accents', 'NIKÓLAI PLATONOVICH PATRÚSHEV', '3'],
    ['in Cyrillic', 'Николай Платонович Патрушев', '3'],
    ['in Arabic', 'أسامة بن لادن', '1'],
    ['in another romanisation', 'Moammar Mohamed Gaddafi', '2'],
    ['with a typing error', 'Nikolai Platonovich Patrushew', '3'],
    ['with two letters swapped', 'Nikolai Platonovich Patrsuhev', '3'],
    ['without the middle name', 'Nikolai Patrushev', '3'],
    ['with initials', 'N. P. Patrushev', '3'],
    ['with parts written as one', 'Kim Jongun', '4'],
    ['with a hyphen', 'Kim Jong-un', '4'],
    ['with the article written as a part of the word', 'Shadi Abdulrahman', '5'],
    ['without particles', 'Joost Brouwer', '8'],
    ['with particles glued', 'Joost Vanderbrouwer', '8'],
    ['in Hangul', '김정은', '4'],
  ])('%s', (_how, name, id) => {
    expect(idsFor(name)).toContain(id);
  });

  it('an organisation is found without its legal form, also under the name of a person', () => {
    const found = snapshot.screen({ kind: 'organisation', names: ['Orion Deepwater Shipping'] });
    expect(found.map(({ entryId }) => entryId)).toEqual(['7']);
    expect(idsFor('Orion Deepwater Shipping Co. Ltd.')).toEqual(['7']);
  });
});

describe('somebody else is not a match', () => {
  it.each([
    ['an equal family name', 'Ivan Patrushev'],
    ['an equal given name', 'Nikolai Gogol'],
    ['a common name with another birth date', 'Juan Garcia Lopez'],
    ['nothing', ''],
    ['only punctuation', '.,-'],
    ['only initials', 'N. P.'],
  ])('%s', (_how, name) => {
    expect(idsFor(name, { birthDate: '1991-03-04', isVerified: true })).toEqual([]);
  });

  it('a rare name in full stays a match although the birth date differs', () => {
    const [match] = snapshot.screen({
      kind: 'person',
      names: ['Nikolai Platonovich Patrushev'],
      birthDate: '1980-01-01',
      isVerified: true,
    });
    expect(match?.reasons.map(({ code }) => code)).toContain('birth_date_differs');
    expect(match?.isStrong).toBe(false);
  });
});

describe('a match', () => {
  it('explains the list, the entry, the name and everything that raised or lowered its score', () => {
    const [match] = snapshot.screen({
      kind: 'person',
      names: ['Usama Bin Ladin'],
      birthDate: '1957-07-30',
      countries: ['sa'],
    });
    expect(match).toEqual({
      list: 'test',
      listVersion: '1',
      entryId: '1',
      entryHash: expect.stringMatching(/^[0-9a-f]{32}$/),
      entryName: 'BIN LADIN, Usama bin Muhammad',
      matchedName: 'BIN LADEN, Osama',
      subjectName: 'Usama Bin Ladin',
      score: 100,
      isStrong: true,
      reasons: [
        { code: 'spelling', effect: -1.4, text: '"usama" is a spelling of "osama"' },
        { code: 'spelling', effect: -3.9, text: '"ladin" is a spelling of "laden"' },
        { code: 'common_name', effect: -1.3, text: 'the equal parts are common names' },
        { code: 'birth_date_equal', effect: 9, text: 'the birth date is equal (listed: 1957-07-30)' },
        { code: 'country_equal', effect: 3, text: 'a country is equal' },
      ],
    });
  });

  it('is searched for by every name of the subject and returned once, with the best', () => {
    const found = snapshot.screen({
      kind: 'person',
      names: ['Nobody Atall', 'N. Patrushev', 'Nikolai Patrushev'],
    });
    expect(found.map(({ entryId, subjectName }) => [entryId, subjectName])).toEqual([['3', 'Nikolai Patrushev']]);
  });

  it('is found in a hostile subject within a moment: long, repeated and endless names', () => {
    const names = ['ali '.repeat(5000), 'x'.repeat(100_000), `${'a. '.repeat(200)}patrushev`, '\u0000\ud800 ﷽'];
    expect(snapshot.screen({ kind: 'person', names: Array.from({ length: 200 }, () => names).flat() })).toEqual([]);
  });
});

describe('a birth date', () => {
  const day = birthRange(1960, 4, 5) ?? never();
  const year = birthRange(1960) ?? never();
  it.each([
    ['1960-04-05', day, 'equal'],
    ['1960', day, 'within'],
    ['1960-09-09', year, 'within'],
    ['1960-05-04', day, 'close'],
    ['1961-04-05', day, 'close'],
    ['1961-09-09', year, 'close'],
    ['1962-01-01', { ...year, isApproximate: true }, 'close'],
    ['1963-01-01', { ...year, isApproximate: true }, 'differs'],
    ['1975-10-10', day, 'differs'],
  ] as const)('%s is compared by what is known of it', (text, listed, relation) => {
    expect(birthRelation(readBirthDate(text) ?? never(), [listed])).toBe(relation);
  });

  it.each(['', '60', '1960-13-01', '1960-00-01', '05/04/1960', '1960-04-05T00:00'])('%j is not a date', (text) => {
    expect(readBirthDate(text)).toBeUndefined();
  });
});
