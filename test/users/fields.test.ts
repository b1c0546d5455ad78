/** What the eight fields accept, and that they are returned as they were sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise, type ProfileField, profileFaults } from '../../src/users/user.js';
import { processorMs } from '../harness/processor-time.js';
import { useRemesa } from '../harness/remesa.js';
import { ana, detailsOf, newUser, told } from '../harness/users.js';
import { countryCodes } from './country-codes.js';

const users = useRemesa();

const longest = {
  firstName: 100,
  lastName: 100,
  address: 300,
  city: 100,
  stateProvince: 100,
  postalCode: 20,
} as const;
const freeFields = Object.keys(longest) as (keyof typeof longest)[];

/** First and last character of a part of Unicode: scripts of both directions, marks, and beyond the first plane. */
const scripts = {
  latin: [0x0041, 0x005a],
  'latin with marks': [0x00c0, 0x024f],
  greek: [0x0391, 0x03a1],
  cyrillic: [0x0400, 0x04ff],
  armenian: [0x0531, 0x0556],
  hebrew: [0x05d0, 0x05ea],
  arabic: [0x0620, 0x064a],
  'arabic marks': [0x064b, 0x065f],
  syriac: [0x0712, 0x072f],
  thaana: [0x0780, 0x07a5],
  "n'ko": [0x07ca, 0x07ea],
  devanagari: [0x0904, 0x0939],
  'devanagari signs': [0x093e, 0x094d],
  bengali: [0x0985, 0x098c],
  tamil: [0x0b85, 0x0b8a],
  thai: [0x0e01, 0x0e3a],
  tibetan: [0x0f40, 0x0f47],
  georgian: [0x10a0, 0x10c5],
  hangul: [0xac00, 0xd7a3],
  'hangul jamo': [0x1100, 0x1112],
  ethiopic: [0x1200, 0x1248],
  khmer: [0x1780, 0x17b3],
  mongolian: [0x1820, 0x1842],
  hiragana: [0x3041, 0x3096],
  katakana: [0x30a1, 0x30fa],
  han: [0x4e00, 0x9fff],
  tifinagh: [0x2d30, 0x2d67],
  'combining marks': [0x0300, 0x034e],
  adlam: [0x1e900, 0x1e943],
  gothic: [0x10330, 0x1034a],
  'han, second plane': [0x20000, 0x2a6df],
  emoji: [0x1f600, 0x1f64f],
} as const;

const ofScript = fc.oneof(
  ...Object.values(scripts).map(([first, last]) =>
    fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code)),
  ),
);
const family = '\u{1F469}\u{1F3FD}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
/** Spaces, a flag of two characters, ASCII signs. */
const between = fc.constantFrom(
  ' ',
  '-',
  "'",
  '’',
  '.',
  '\u00a0',
  '"',
  '\\',
  '<b>',
  '%00',
  '{{x}}',
  '\u{1F1EA}\u{1F1F8}',
);
const whiteSpace = fc.string({
  unit: fc.constantFrom(' ', '\t', '\n', '\r', '\u00a0', '\u3000', '\u2003', '\ufeff', '\u2028'),
  maxLength: 4,
});

/** Begins and ends with a letter, so that nothing of it is white space at an end. */
function textOf(max: number): fc.Arbitrary<string> {
  const middle = fc.string({ unit: fc.oneof(ofScript, ofScript, between), maxLength: max });
  return fc
    .tuple(ofScript, middle, ofScript)
    .map(([first, text, last]) => first + [...text].slice(0, max - 2).join('') + last);
}

const texts = fc.record(
  Object.fromEntries(freeFields.map((field) => [field, textOf(longest[field])])) as Record<
    keyof typeof longest,
    fc.Arbitrary<string>
  >,
);

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('names and addresses in any script', () => {
  it('are returned byte for byte, without white space at the ends, after POST and after PATCH', async () => {
    const { token } = users.acme;
    await fc.assert(
      fc.asyncProperty(texts, texts, whiteSpace, whiteSpace, async (first, second, before, after) => {
        const padded = (given: typeof first) =>
          Object.fromEntries(Object.entries(given).map(([field, text]) => [field, before + text + after]));
        const user = await newUser(users, users.acme, padded(first));
        expect(await detailsOf(users, users.acme, user)).toEqual({ ...ana, ...first });
        const path = `/user?userId=${user.id}`;
        const change = await users.api.call('PATCH', path, { token, body: padded(second) });
        expect(change.status).toBe(200);
        expect(await detailsOf(users, users.acme, user)).toEqual({ ...ana, ...second });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['Arabic, right to left', 'عبد الرحمن بن محمد'],
    ['Hebrew with points', 'שָׁלוֹם בֶּן־גּוּרְיוֹן'],
    ['Farsi with a non-joiner', 'علی‌رضا'],
    ['Devanagari with a joiner', 'क्‍षत्रिय'],
    ['Vietnamese, composed', 'Nguyễn Thị Ngọc Ánh'],
    ['Vietnamese, decomposed', 'Nguyễn'.normalize('NFD')],
    ['Turkish', 'İpek Işık'],
    ['Hawaiian', 'Kaʻahumanu'],
    ['Japanese beyond the first plane', '𠮷野家'],
    ['a pile of marks', `Z${'\u0321\u0316\u033c'.repeat(20)}`],
    ['a family as one sign', `Ana ${family}`],
    ['a hyphen, a quote and a dot', "Jean-Luc d'Arc jr."],
    ['a script tag', '<script>alert(1)</script>'],
    ['SQL', "Robert'); DROP TABLE users;--"],
    ['a null as a word', 'null'],
  ])('store %s byte for byte, neither composed nor decomposed', async (_what, name) => {
    const user = await newUser(users, users.acme, { firstName: name, city: name });
    const { firstName, city } = await detailsOf(users, users.acme, user);
    expect(Buffer.from(firstName)).toEqual(Buffer.from(name));
    expect(Buffer.from(city)).toEqual(Buffer.from(name));
  });
});

describe('the longest text of a field', () => {
  it.each(freeFields)('is accepted for %s and given back; one character more is refused', async (field) => {
    const max = longest[field];
    for (const character of ['x', 'é', '漢', '𐌰']) {
      const user = await newUser(users, users.acme, { [field]: character.repeat(max) });
      expect((await detailsOf(users, users.acme, user))[field]).toBe(character.repeat(max));
      const body = { ...ana, [field]: character.repeat(max + 1) };
      const answer = await users.api.post('/user', { token: users.acme.token, body });
      expect(told(answer)).toEqual([400, 'invalid_fields']);
      expect(answer.json.errors).toEqual([
        { field, code: 'too_long', message: `must have at most ${max} characters`, max },
      ]);
    }
  });

  it('is 254 for an e-mail address, with 64 before the sign', () => {
    const domain = `${'d'.repeat(61)}.${'d'.repeat(61)}.${'d'.repeat(61)}.com`;
    const longestEmail = `${'a'.repeat(64)}@${domain}`;
    expect(longestEmail).toHaveLength(254);
    expect(profileFaults({ email: longestEmail })).toEqual([]);
    expect(profileFaults({ email: `${'a'.repeat(64)}@d${domain}` })).toEqual([
      { field: 'email', code: 'too_long', message: 'must have at most 254 characters', max: 254 },
    ]);
    expect(profileFaults({ email: `${'a'.repeat(65)}@d.com` })).toMatchObject([{ code: 'wrong_format' }]);
  });

  it('is counted without the white space at the ends', () => {
    expect(profileFaults({ postalCode: `   ${'x'.repeat(20)}   ` })).toEqual([]);
  });

  it('must not be zero: white space alone is refused', () => {
    for (const nothing of ['', ' ', '\t\n', '\u3000', '\u00a0\ufeff']) {
      expect(profileFaults({ city: nothing })).toEqual([
        { field: 'city', code: 'too_short', message: 'must not be empty', min: 1 },
      ]);
    }
  });
});

describe('invisible characters and those that change the direction of text', () => {
  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const refused = [
    ...range(0x00, 0x1f),
    0x7f,
    ...range(0x80, 0x9f),
    0x2028,
    0x2029,
    ...range(0x202a, 0x202e),
    ...range(0x2066, 0x2069),
    0xfffe,
    0xffff,
    ...[
      0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2060, 0x2063, 0x2800, 0x3164, 0xfe0f,
      0xfeff,
    ],
  ];
  const fields: ProfileField[] = [...freeFields, 'email', 'countryCode'];

  it.each(fields)('are refused within %s, each of them', (field) => {
    const accepted = refused.filter((code) => {
      const [fault] = profileFaults({ [field]: `a${String.fromCharCode(code)}b` });
      return fault?.code !== 'wrong_format' || fault.field !== field;
    });
    expect(accepted).toEqual([]);
  });

  it('are refused by the service: a bell, a NEL, a line separator, an override', async () => {
    for (const character of ['\u0007', '\u0085', '\u2028', '\u202e', '\u2066', '\u007f']) {
      const body = { ...ana, lastName: `Rey${character}es` };
      const answer = await users.api.post('/user', { token: users.acme.token, body });
      expect(answer.json.errors).toEqual([
        { field: 'lastName', code: 'wrong_format', message: 'must not contain control or invisible characters' },
      ]);
    }
  });

  it.each(['\\u0000', '\\ud800', '\\udc00', '\\ud83d', 'a\\ud800b', '\\udc00\\ud800'])(
    'are refused where only an escape can write them: %s',
    async (escaped) => {
      const text = JSON.stringify(ana).replace('"Ana"', `"${escaped}"`);
      const answer = await users.api.post('/user', { token: users.acme.token, text });
      expect(told(answer)).toEqual([400, 'malformed_body']);
    },
  );

  it('do not include a character that is escaped as two surrogates', async () => {
    const text = JSON.stringify(ana).replace('"Ana"', '"\\ud83d\\ude00"');
    const answer = await users.api.post('/user', { token: users.acme.token, text });
    expect((await detailsOf(users, users.acme, answer.json)).firstName).toBe('😀');
  });

  it('include half a surrogate pair', () => {
    expect(profileFaults({ city: 'a\ud800b' })).toMatchObject([{ field: 'city', code: 'wrong_format' }]);
  });
});

describe('an e-mail address', () => {
  it.each(
    words(`
      a@b.co ana.reyes@example.com ana+remesa@example.com ana_reyes-99@example.com o'brien@example.ie
      a..b@docomo.example.jp 1234567890@example.com x@sub.sub.sub.example.com x@3com.com x@a-b.example
      x@xn--mnchen-3ya.example x@example.xn--p1ai ana@münchen.example почта@пример.рф 用户@例子.中国
      उपयोगकर्ता@उदाहरण.भारत !#$%&*+/=?^_\`{|}~-@example.com ANA@EXAMPLE.COM`),
  )('is %s', async (email) => {
    expect(profileFaults({ email })).toEqual([]);
    expect(normalise({ email })).toEqual({ email });
  });

  it.each([
    ...words(`
      ana ana@ @example.com ana@example ana@@example.com ana@ex@example.com ana@.example.com
      ana@example..com ana@example.com. ana@-example.com ana@example-.com ana@exam_ple.com ana@example.c
      ana@example.1 ana@127.0.0.1 ana@[127.0.0.1] "ana"@example.com ana,eva@example.com
      ana;eva@example.com ana(home)@example.com mailto:ana@example.com`),
    'ana reyes@example.com',
    'ana@exa mple.com',
    'Ana <ana@example.com>',
    'ana\\@example.com',
    'ana@example.com, eva@example.com',
    'ana\n@example.com',
    'ana@example.com\nbcc: eva@example.com',
    `ana@${'d'.repeat(64)}.com`,
  ])('is not %j', (email) => {
    expect(profileFaults({ email })).toMatchObject([{ field: 'email', code: 'wrong_format' }]);
  });

  it('is checked quickly, however it was constructed', () => {
    const emails = [
      `${'a'.repeat(64)}@${'a.'.repeat(90)}`,
      `a@${'a-'.repeat(120)}`,
      `a@${'1'.repeat(250)}`,
      `a@${'aé'.repeat(120)}!`,
    ];
    const tookMs = processorMs(() => {
      for (const email of emails) expect(profileFaults({ email })).toHaveLength(1);
    });
    expect(tookMs).toBeLessThan(200);
  });
});

describe('a country code', () => {
  const cases = (code: string) => [code, code.toLowerCase(), code.charAt(0) + code.slice(1).toLowerCase()];

  it('is accepted for each of the 249 countries in two or three letters of any case, and stored as two capitals', () => {
    expect(countryCodes).toHaveLength(249);
    for (const [alpha3, alpha2] of countryCodes) {
      for (const countryCode of [...cases(alpha2), ...cases(alpha3)]) {
        expect(profileFaults({ countryCode }), countryCode).toEqual([]);
        expect(normalise({ countryCode }), countryCode).toEqual({ countryCode: alpha2 });
      }
    }
  });

  it('is refused with two letters when no country has it', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const known = new Set(countryCodes.map(([, alpha2]) => alpha2));
    const pairs = letters.flatMap((one) => letters.map((other) => one + other));
    const accepted = pairs.filter((countryCode) => profileFaults({ countryCode }).length === 0);
    expect(accepted.filter((code) => !known.has(code))).toEqual([]);
    expect(accepted).toHaveLength(249);
  });

  it('is refused with three letters when no country has it', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const triples = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const accepted = triples.filter((countryCode) => profileFaults({ countryCode }).length === 0);
    expect(accepted).toEqual(countryCodes.map(([alpha3]) => alpha3).sort());
  });

  it.each([...words('UK EU XK E 724 ＥＳ ß ﬁ ıt ſa ﬀ ﬁn 🇪🇸 __proto__'), 'E S', 'ES\u200d'])(
    'is not %j',
    (countryCode) => {
      expect(profileFaults({ countryCode })).toHaveLength(1);
    },
  );

  it('is returned by the service in two letters', async () => {
    for (const [given, kept] of [
      ['esp', 'ES'],
      [' Mex ', 'MX'],
      ['do', 'DO'],
    ] as const) {
      const user = await newUser(users, users.acme, { countryCode: given });
      expect((await detailsOf(users, users.acme, user)).countryCode).toBe(kept);
    }
  });
});
