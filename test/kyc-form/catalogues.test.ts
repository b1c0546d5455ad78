import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { uploadFaults } from '../../src/documents/inspect.js';
import { kycLevels, publicReasons, zones } from '../../src/kyc/cases/case.js';
import { requirementsOf } from '../../src/kyc/cases/requirements.js';
import { catalogues } from '../../src/kyc-form/pages/catalogue/catalogue.js';
import { consentVersion } from '../../src/kyc-form/pages/texts/consent.js';
import { textsIn } from '../../src/kyc-form/pages/texts/texts.js';
import { locales } from '../../src/locale.js';

type Tree = { readonly [key: string]: string | Tree };

function leaves(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : leaves(value, `${path}${key}.`),
  );
}

const textsOf = (locale: keyof typeof catalogues) => leaves(catalogues[locale] as unknown as Tree);
const isPlural = (key: string) => key.startsWith('counts.');
const english = new Map(textsOf('en').filter(([key]) => !isPlural(key)));
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

describe.each(locales)('the catalogue %s', (locale) => {
  const texts = textsOf(locale);
  const single = texts.filter(([key]) => !isPlural(key));

  it('has the keys of all the others', () => {
    expect(single.map(([key]) => key).sort()).toEqual([...english.keys()].sort());
  });

  it('has no empty text, and none with spaces at its ends', () => {
    expect(texts.filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([]);
  });

  it('fills in the same values in every text', () => {
    const different = single.filter(
      ([key, text]) => String(placeholders(text)) !== String(placeholders(english.get(key) ?? '')),
    );
    expect(different).toEqual([]);
  });

  it('has every plural that the language has, and no other', () => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    const names = new Set(textsOf('en').flatMap(([key]) => (isPlural(key) ? [key.replace(/_\w+$/, '')] : [])));
    const expected = [...names].flatMap((name) => categories.map((category) => `${name}_${category}`));
    expect(
      texts
        .map(([key]) => key)
        .filter(isPlural)
        .sort(),
    ).toEqual(expected.sort());
  });

  it('is not left in English', () => {
    const same = single.filter(([key, text]) => locale !== 'en' && text === english.get(key));
    // Words that are the same in two languages.
    expect(same.map(([key]) => key).filter((key) => !alike.has(key))).toEqual([]);
  });

  it('says everything without a key or a gap showing through', () => {
    const said = textsIn(locale);
    const values = {
      label: 'L',
      limit: 1,
      example: 'E',
      merchant: 'M',
      email: 'e',
      number: 1,
      total: 2,
      id: 'i',
      name: 'n',
      address: 'a',
      licence: 'l',
      supervisor: 's',
      phone: 'p',
    };
    const more = {
      megabytes: 10,
      kind: 'k',
      size: 's',
      percent: 5,
      title: 't',
      date: 'd',
      options: 'o',
      entered: 3,
    };
    for (const [key] of single) {
      const text = said.sayIfKnown(key, { ...values, ...more });
      expect(text, key).not.toContain('{{');
      expect(text, key).not.toBe(key);
    }
  });
});

describe('a language from right to left', () => {
  const isolated = /\u2066[^\u2069]*\u2069/g;

  it.each(['ar', 'ur'] as const)('isolates every Latin word, number, sample and sign in its texts (%s)', (locale) => {
    const exposed = textsOf(locale).filter(([, text]) => {
      if (!/[\u0600-\u06ff]/.test(text)) return false;
      return /[A-Za-z0-9<>+]/.test(text.replaceAll(/\{\{\w+\}\}/g, '').replaceAll(isolated, ''));
    });
    expect(exposed).toEqual([]);
  });

  it('isolates what is filled in, and lets the example of a date follow its boxes', () => {
    const arabic = textsIn('ar');
    expect(arabic.say('frame.reference', { id: 'kyc_1A' })).toBe('الرقم المرجعي: \u2068kyc_1A\u2069');
    expect(arabic.say('faults.not_digits', { label: 'تاريخ', example: arabic.dateSample('27 3 1985') })).toBe(
      '\u2068تاريخ\u2069: استخدم الأرقام فقط، مثال: \u206727 3 1985\u2069',
    );
  });

  it('does not turn a sentence of another language around when it is in a name', () => {
    expect(textsIn('en').say('frame.returnTo', { merchant: 'حوالة' })).toBe('Back to \u2068حوالة\u2069');
    expect(textsIn('en').say('frame.returnTo', { merchant: 'Acme' })).toBe('Back to Acme');
  });
});

const alike = new Set([
  'frame.errorTitle',
  'upload.pdf',
  'upload.photo',
  'options.politicallyExposed.no',
  'localNames.eircode.label',
]);

describe('in every language', () => {
  const questions = kycLevels.flatMap((level) =>
    zones.flatMap((zone) => requirementsOf(level, zone).flatMap((step) => step.questions)),
  );

  it.each(locales)('%s has a text for each option of each question, each fault and each reason', (locale) => {
    const texts = textsIn(locale);
    const wanted = [
      ...questions
        .filter(({ kind }) => kind === 'choice')
        .flatMap(({ id, options = [] }) => options.map((option) => `options.${id}.${option}`)),
      ...uploadFaults.map((fault) => `uploadFaults.${fault}`),
      ...publicReasons.map((reason) => `reasons.${reason}`),
    ];
    expect(wanted.filter((key) => texts.sayIfKnown(key) === undefined)).toEqual([]);
  });

  it.each([
    ['en', 1, 'This page closes in one minute. What is not saved by then is lost.'],
    ['en', 3, 'This page closes in 3 minutes. What is not saved by then is lost.'],
    ['ar', 2, 'ستُغلق هذه الصفحة بعد دقيقتين. وما لم يُحفظ حتى ذلك الحين سيضيع.'],
    ['ar', 4, 'ستُغلق هذه الصفحة بعد 4 دقائق. وما لم يُحفظ حتى ذلك الحين سيضيع.'],
  ] as const)('%s counts %i minutes with the right plural', (locale, count, text) => {
    expect(textsIn(locale).say('counts.minutesLeft', { count })).toBe(text);
  });

  it('a changed word of what people agree to has a new version', () => {
    const words = locales.map((locale) => [catalogues[locale].consent, catalogues[locale].check.consent]);
    const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16);
    // When this fails: give `consentVersion` the date of today, then write both here.
    expect({ consentVersion, digest }).toEqual({
      consentVersion: '2026-11-19',
      digest: 'b1a6c5731b327929',
    });
  });
});
