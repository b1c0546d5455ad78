/** The texts that all hosted pages have, in every language. A key that one language lacks does not compile. */
import type { Locale } from '../../locale.js';
import { arabic } from './ar.js';
import type { HostedWords } from './catalogue.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { hindi } from './hi.js';
import { portuguese } from './pt.js';
import { tagalog } from './tl.js';
import { urdu } from './ur.js';

export const hostedWords: Readonly<Record<Locale, HostedWords>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
  hi: hindi,
  tl: tagalog,
  ur: urdu,
};
