/**
 * The languages of the pages that users see. A page has the one that the user switched to, else the link's, else the
 * browser's.
 */
import Negotiator from 'negotiator';

export const locales = ['en', 'es', 'fr', 'pt', 'ar', 'hi', 'tl', 'ur'] as const;
export type Locale = (typeof locales)[number];

export interface LanguageWishes {
  /** The language that the user switched to, from the address. */
  readonly switchedTo: unknown;
  /** The language that the merchant chose for the link. */
  readonly link: Locale | undefined;
  readonly acceptLanguage: string | undefined;
  /** What the merchant offers, the usual one first. Absent: all. */
  readonly offered?: readonly Locale[] | undefined;
}

export function chooseLocale({ switchedTo, link, acceptLanguage, offered = locales }: LanguageWishes): Locale {
  const wishes = [localeOf(switchedTo), link, askedFor(acceptLanguage, offered)];
  return wishes.find((wish) => wish !== undefined && offered.includes(wish)) ?? offered[0] ?? 'en';
}

export function localeOf(text: unknown): Locale | undefined {
  return locales.find((locale) => locale === text);
}

/** No browser sends so many languages, and ranking thousands takes noticeable time. */
const longestWish = 1000;

/** What browsers call Tagalog as it is taught. */
const filipino = 'fil';

/** Returns undefined when none of our languages is requested. Programs without a preference send an asterisk. */
export function askedFor(acceptLanguage: string | undefined, offered: readonly Locale[] = locales): Locale | undefined {
  if (!acceptLanguage || acceptLanguage.trim() === '*') return undefined;
  const negotiator = new Negotiator({
    headers: { 'accept-language': acceptLanguage.slice(0, longestWish) },
  });
  const asked = negotiator.language([...offered, ...(offered.includes('tl') ? [filipino] : [])]);
  return asked === filipino ? 'tl' : localeOf(asked);
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' || locale === 'ur' ? 'rtl' : 'ltr';
}

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ar: 'العربية',
  hi: 'हिन्दी',
  tl: 'Tagalog',
  ur: 'اردو',
};

/** For numbers and dates: with the digits that the fields of the form are filled in with. */
export function intlLocaleOf(locale: Locale): string {
  if (locale === 'ar' || locale === 'hi' || locale === 'ur') return `${locale}-u-nu-latn`;
  if (locale === 'tl') return filipino;
  // The day before the month, as in most of the world.
  return locale === 'en' ? 'en-GB' : locale;
}
