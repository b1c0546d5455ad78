/** A listed name is found, or given to a person, however somebody tries to hide it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMovement } from '../../src/payments/movement-fields.js';
import { sandboxList } from '../../src/screening/lists/sandbox-list.js';
import { indexEntries } from '../../src/screening/loading/indexed-list.js';
import type { Subject } from '../../src/screening/screening.js';
import { ScreeningSnapshot } from '../../src/screening/snapshot.js';
import { hasInvisible, withoutInvisible } from '../../src/visible-text.js';
import { rounds } from '../harness/rounds.js';

const lists = [{ name: 'sandbox', version: '1', ...indexEntries(sandboxList) }];
const thresholds = { matchScore: 80, strongScore: 95 };
const snapshot = new ScreeningSnapshot(lists, { isUsable: true }, thresholds);
const person = (name: string): Subject => ({ kind: 'person', names: [name] });
const company = (name: string): Subject => ({ kind: 'organisation', names: [name] });
const idsOf = (subject: Subject) => snapshot.screen(subject).map(({ entryId }) => entryId);

/** Default ignorable and formatting characters of every kind, and a blank that is a symbol. */
const invisible = [
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202e],
  ...[
    0x2060, 0x2061, 0x2063, 0x2066, 0x206a, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1d173, 0xe0061, 0xe0100,
  ],
].map((code) => String.fromCodePoint(code));

describe('invisible characters', () => {
  it('are refused in what people type, each of them; what a bank sends is refused for control characters only', () => {
    expect(invisible.filter((character) => !hasInvisible(`Iris Blo${character}ckwell`))).toEqual([]);
    const line = {
      amount: '5',
      currency: 'EUR',
      bookedAt: '2026-11-01',
      payerAccount: '',
      remittanceText: '',
      bankReference: 'B1',
    };
    const isTaken = (payerName: string) =>
      'movement' in readMovement({ ...line, payerName }, { currency: 'EUR', timeZone: undefined });
    expect([isTaken('Iris Blo\u200bckwell'), isTaken('Iris Blo\u0007ckwell')]).toEqual([true, false]);
  });

  it('stay allowed between letters of scripts that need them, and nowhere else', () => {
    for (const name of ['علی\u200cرضا', 'خامنه\u200cای', 'क्\u200dष', 'ශ්\u200dරී', 'José Núñez-O’Neill', '山田　太郎'])
      expect([name, hasInvisible(name)]).toEqual([name, false]);
    for (const name of ['\u200cعلی', 'علی\u200c', 'A\u200cli', 'Иван\u200d', 'क\u200b्ष'])
      expect([name, hasInvisible(name)]).toEqual([name, true]);
  });

  it('never hide a listed name, wherever and however many they are', () => {
    const hidden = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...invisible)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom('Iris Blockwell', 'Айрис Блоквелл', 'خالد تجربة الممنوع'), hidden, (name, places) => {
        const letters = [...name];
        for (const [place, character] of places) letters.splice(place % (letters.length + 1), 0, character);
        expect(withoutInvisible(letters.join(''))).toBe(name);
        expect(idsOf(person(letters.join('')))).toEqual(idsOf(person(name)));
      }),
      { numRuns: rounds(60, 1000) },
    );
  });
});

describe('a listed person is found', () => {
  it.each([
    ['with Cyrillic letters that look the same', 'Іrіs Вlосkwеll'],
    ['with a whole word of such letters', 'Iris Вӏоскԝеӏӏ'],
    ['with Greek letters that look the same', 'Ιrιs Βlοckwell'],
    ['with digits for letters', 'Ir1s B1ockwe11'],
    ['in single letters', 'I r i s B l o c k w e l l'],
    ['in letters with points and hyphens', 'I.r.i.s B-l-o-c-k-w-e-l-l'],
    ['in torn words', 'I ris Blo ckwell'],
    ['in words torn by a no-break space', 'Ir\u00a0is Bl\u00a0ock\u00a0well'],
    ['in words torn by thin spaces', 'I\u200aris Blo\u2009ckwell'],
    ['between titles and degrees', 'Prof. Dr Iris Blockwell MBA Ph.D.'],
    ['with a word repeated', 'Iris Blockwell Blockwell Blockwell'],
    ['in full among other words', 'Iris Sanctia Marvin Blockwell Quux Zork'],
    ['after many words', `${'Quux Zork Marvin Trilby Zander Plon '.repeat(4)}Iris Blockwell`],
    ['before many words', `Iris Blockwell ${'Quux Zork Marvin Trilby Zander Plon '.repeat(4)}`],
    ['in full-width letters', 'Ｉｒｉｓ Ｂｌｏｃｋｗｅｌｌ'],
  ])('%s', (_how, name) => {
    expect(idsOf(person(name))).toContain('TEST-1');
  });

  it('under the name of a company, and a listed company under the name of a person', () => {
    for (const name of ['Iris Blockwell', 'Iris Sanctia Blockwell Ltd', 'Iris Blockwell S.L.', 'Blockwell, Iris & Co'])
      expect([name, idsOf(company(name))]).toEqual([name, ['TEST-1']]);
    for (const name of ['Forbidden Freight Trading Ltd', 'Forbidden Freight'])
      expect([name, idsOf(person(name))]).toEqual([name, ['TEST-6']]);
    expect(idsOf(company('F.F.T. Logistics Limited'))).toEqual(['TEST-6']);
    const [match] = snapshot.screen(company('Iris Sanctia Blockwell'));
    expect(match?.reasons).toContainEqual({
      ...{ code: 'other_kind', effect: -5, text: 'one is a person and the other an organisation' },
    });
  });
});

describe('what somebody only claims', () => {
  const claims = {
    birthDate: fc.date({ min: new Date('1930-01-01'), max: new Date('2007-01-01'), noInvalidDate: true }),
    country: fc.constantFrom('ES', 'US', 'IQ', 'MX', 'DE'),
  };
  const names = fc.constantFrom(
    'Iris Blockwell',
    'Iris Blokwell',
    'Jose Prohibido',
    'Test Zapretov',
    'Khaled al-Mamnou',
  );

  it('never lowers a score: not the birth date, not the country', () => {
    fc.assert(
      fc.property(names, claims.birthDate, claims.country, (name, date, country) => {
        const claimed = { ...person(name), birthDate: date.toISOString().slice(0, 10), countries: [country] };
        const byName = new Map(snapshot.screen(person(name)).map(({ entryId, score }) => [entryId, score]));
        for (const [entryId, score] of byName) {
          const found = snapshot.screen(claimed).find((match) => match.entryId === entryId);
          expect(found?.score).toBeGreaterThanOrEqual(score);
        }
      }),
      { numRuns: rounds(60, 1000) },
    );
  });

  it('clears a person when somebody has checked the document, and only then', () => {
    const subject = { ...person('Iris Blockwell'), birthDate: '1999-09-09', countries: ['ES'] };
    expect(idsOf(subject)).toEqual(['TEST-1']);
    expect(idsOf({ ...subject, isVerified: true })).toEqual([]);
    expect(snapshot.screen(subject)[0]?.reasons).toContainEqual({
      code: 'birth_date_differs',
      effect: 0,
      text: 'the birth date differs (listed: 1970-01-31; it is only claimed and lowers nothing)',
    });
  });
});

describe('a name that cannot be compared well', () => {
  it.each([
    ['Thai', 'สมชาย ใจดี'],
    ['Khmer', 'សុខ សាន'],
    ['Burmese', 'အောင်ဆန်း'],
    ['Amharic', 'አበበ ቢቂላ'],
    ['a kanji name that is not a usual one', '鈴木夢芽叶'],
    ['a foreign name written by sound in Chinese', '弗拉基米尔·普京'],
    ['a long run of Chinese characters', '弗拉基米尔普京'],
    ['a foreign name in few Chinese characters', '普京'],
    ['a foreign name written by sound in Japanese', 'ウラジーミル・プーチン'],
    ['scripts mixed in a word', 'Ivаn Smith'],
    ['single letters', 'i r i s b l o c k w e l l'],
    ['nothing but initials', 'I. B.'],
    ['no letters', '.,-'],
    ['too many words', 'ali '.repeat(60)],
    ['a word without end', 'x'.repeat(60)],
  ])('goes to a person: %s', (_why, name) => {
    expect(snapshot.hasUnreadableName(person(name))).toBe(true);
  });

  it.each([
    ['Latin', 'María José Núñez-O’Neill y García'],
    ['initials', 'J. R. R. Tolkien'],
    ['Cyrillic', 'Фёдор Достоевский'],
    ['Chinese', '习近平'],
    ['Chinese with two characters of family name', '欧阳娜娜'],
    ['usual Japanese names', '鈴木 花子'],
    ['kana', 'たなか ゆうこ'],
    ['Korean', '김정은'],
    ['Arabic', 'عبد الفتاح السيسي'],
    ['Persian', 'علی\u200cرضا'],
    ['two scripts in two words', 'Иван Smith'],
  ])('is not: %s', (_why, name) => {
    expect(snapshot.hasUnreadableName(person(name))).toBe(false);
  });
});
