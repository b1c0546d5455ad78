/** The texts that all hosted pages have, in every language. A key that one language lacks does not compile. */
import type { Locale } from '../../locale.js';
import { arabic } from './ar.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { portuguese } from './pt.js';

/** The same keys with the texts of another language. */
export type TextsLike<Section> = Section extends string ? string : { readonly [Key in keyof Section]: TextsLike<Section[Key]> };

export type HostedWords = TextsLike<typeof english>;
export type FrameKey = keyof HostedWords['frame'];
export type FailureKind = Exclude<keyof HostedWords['failures'], 'again'>;

export const hostedWords: Readonly<Record<Locale, HostedWords>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
};
