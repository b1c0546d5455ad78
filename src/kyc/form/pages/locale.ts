/** Which language a page is in: the one that was switched to, else the link's, else what the browser asks for. */
import Negotiator from 'negotiator';
import { type Locale, locales } from '../view.js';

export interface LanguageWishes {
  /** Switched to by the person, as it stands in the address. */
  readonly switchedTo: unknown;
  /** Of the link, by the merchant. */
  readonly link: Locale | undefined;
  readonly acceptLanguage: string | undefined;
}

export function chooseLocale({ switchedTo, link, acceptLanguage }: LanguageWishes): Locale {
  return localeOf(switchedTo) ?? link ?? askedFor(acceptLanguage) ?? 'en';
}

export function localeOf(text: unknown): Locale | undefined {
  return locales.find((locale) => locale === text);
}

/** No browser asks for so many languages; weighing thousands takes a noticeable time. */
const longestWish = 1000;

/** Undefined where nothing is asked for that we have. Programs that do not care send an asterisk. */
export function askedFor(acceptLanguage: string | undefined): Locale | undefined {
  if (!acceptLanguage || acceptLanguage.trim() === '*') return undefined;
  const negotiator = new Negotiator({
    headers: { 'accept-language': acceptLanguage.slice(0, longestWish) },
  });
  return localeOf(negotiator.language([...locales]));
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr';
}

/** What the speakers of a language call it. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ar: 'العربية',
};

/** For numbers and dates: with the digits that the fields of the form are filled in with. */
export function intlLocaleOf(locale: Locale): string {
  if (locale === 'ar') return 'ar-u-nu-latn';
  // The day before the month, as in most of the world.
  return locale === 'en' ? 'en-GB' : locale;
}
