import { describe, expect, it } from 'vitest';
import { chooseLocale } from '../../src/locale.js';

describe('the language of a page', () => {
  it.each([
    ['nothing is asked for', undefined, 'en'],
    ['a program that does not care', '*', 'en'],
    ['a language that we have', 'fr', 'fr'],
    ['a region of one', 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['one that we have second', 'de-DE,de;q=0.9,es;q=0.5,en;q=0.3', 'es'],
    ['none that we have', 'de,ja', 'en'],
    ['one that is refused', 'en;q=0,ar;q=0.1', 'ar'],
    ['Arabic of Egypt', 'ar-EG', 'ar'],
    ['Filipino, which is Tagalog', 'fil-PH,en;q=0.5', 'tl'],
    ['Urdu of India', 'ur-IN', 'ur'],
    ['garbage', ';;;===,,', 'en'],
    ['many', `${'xx,'.repeat(300)}es`, 'es'],
    ['more than the first thousand characters', `${'xx,'.repeat(2000)}es`, 'en'],
  ])('is chosen for %s', (_, acceptLanguage, locale) => {
    expect(chooseLocale({ switchedTo: undefined, link: undefined, acceptLanguage })).toBe(locale);
  });

  it('is the link’s before the browser’s, and the person’s before both', () => {
    expect(chooseLocale({ switchedTo: undefined, link: 'es', acceptLanguage: 'fr' })).toBe('es');
    expect(chooseLocale({ switchedTo: 'ar', link: 'es', acceptLanguage: 'fr' })).toBe('ar');
  });

  it.each(['de', '', '__proto__', ['es', 'fr'], undefined])('is not %j, which we do not have', (switchedTo) => {
    expect(chooseLocale({ switchedTo, link: undefined, acceptLanguage: 'fr' })).toBe('fr');
  });
});
