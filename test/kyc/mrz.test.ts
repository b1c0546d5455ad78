/** The machine-readable zone: the specimens of ICAO 9303 (the passport as one of France), and what they must agree with. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answers } from '../../src/kyc/cases/requirements.js';
import { mismatches, readMrz } from '../../src/kyc/checks/mrz.js';

const passport = 'P<FRAERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36FRA7408122F1204159ZE184226B<<<<<10';
const card = 'I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<';
const olderCard = 'I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nD231458907UTO7408122F1204159<<<<<<<6';

const anna: Answers = {
  firstName: 'Anna Maria',
  lastName: 'Eriksson',
  dateOfBirth: '1974-08-12',
  documentNumber: 'L898902C3',
  documentExpiresOn: '2012-04-15',
};

describe('reading', () => {
  it.each([
    ['a passport', passport, 2],
    ['a card', card, 3],
    ['an older card', olderCard, 2],
  ])('finds the check digits of %s right', (_, text, lines) => {
    const read = readMrz(text);
    expect(read?.areCheckDigitsRight).toBe(true);
    expect(read?.lines).toHaveLength(lines);
  });

  it('does not mind line ends, spaces, small letters and « for two <', () => {
    const typed = passport.toLowerCase().replaceAll('\n', ' ').replaceAll('<<', '«');
    expect(readMrz(typed)?.lines.join('\n')).toBe(passport);
  });

  it.each([3, 9, 19, 27].map((at) => [at]))('sees one wrong character at place %i of the second line', (at) => {
    const [first = '', second = ''] = passport.split('\n');
    const wrong = second[at] === '9' ? '8' : '9';
    const read = readMrz(`${first}\n${second.slice(0, at)}${wrong}${second.slice(at + 1)}`);
    expect(read?.areCheckDigitsRight).toBe(false);
  });

  it.each(['', 'P<UTO', 'x'.repeat(88), `${passport}<`, '💥'.repeat(44)])('knows that %j is none', (text) => {
    const read = readMrz(text);
    expect(read === undefined || !read.areCheckDigitsRight).toBe(true);
  });
});

describe('whatever is sent in the length of a zone', () => {
  it('is read or refused, and never a crash', () => {
    const characters = fc.constantFrom(...'ABIPUTOFRAD0123456789<<<<');
    const zone = fc
      .constantFrom(72, 88, 90)
      .chain((length) => fc.array(characters, { minLength: length, maxLength: length }));
    fc.assert(
      fc.property(zone, (letters) => {
        expect(readMrz(letters.join(''))).toBeDefined();
      }),
    );
  });
});

describe('holding it against what was declared', () => {
  const compare = (text: string, declared: Answers) => {
    const read = readMrz(text);
    if (!read) throw new Error('not read');
    return mismatches(read, declared);
  };

  it('finds nothing where they agree, also with fewer first names', () => {
    expect(compare(passport, anna)).toEqual([]);
    expect(compare(passport, { ...anna, firstName: 'Anna' })).toEqual([]);
  });

  it.each([
    ['name', { lastName: 'Ericsson' }],
    ['dateOfBirth', { dateOfBirth: '1974-08-13' }],
    ['documentNumber', { documentNumber: 'L898902C4' }],
    ['documentExpiresOn', { documentExpiresOn: '2022-04-15' }],
    ['nationality', { nationality: 'SE' }],
    ['documentCountry', { documentCountry: 'SE' }],
  ] as const)('finds another %s', (matter, other) => {
    expect(compare(passport, { ...anna, ...other })).toEqual([matter]);
  });

  it.each([
    ['Müller', 'MUELLER'],
    ['Müller', 'MULLER'],
    ['Straße', 'STRASSE'],
    ['Ørsted', 'OERSTED'],
    ['Núñez', 'NUNEZ'],
    ['Łukasiewicz', 'LUKASIEWICZ'],
    ["O'Connor", 'O<CONNOR'],
  ])('takes %s for %s, as documents write it', (lastName, written) => {
    const line = `P<UTO${written}<<ANNA`.padEnd(44, '<');
    const text = `${line}\n${passport.split('\n')[1]}`;
    expect(compare(text, { ...anna, lastName })).toEqual([]);
  });

  it('reads the country of German and other passports', () => {
    const line = 'P<D<<ERIKSSON<<ANNA<MARIA'.padEnd(44, '<');
    const text = `${line}\nL898902C36D<<7408122F1204159ZE184226B<<<<<10`;
    const german = { ...anna, nationality: 'DE', documentCountry: 'DE' };
    expect(compare(text, german)).toEqual([]);
    expect(compare(text, { ...german, nationality: 'AT' })).toEqual(['nationality']);
  });
});
