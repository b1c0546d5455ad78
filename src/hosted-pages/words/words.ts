/** The texts that all hosted pages have, in every language. A key that one language lacks does not compile. */
import type { Locale } from '../../locale.js';
import { arabic } from './ar.js';
import type { HostedWords } from './catalogue.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { portuguese } from './pt.js';

export const hostedWords: Readonly<Record<Locale, HostedWords>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
};
