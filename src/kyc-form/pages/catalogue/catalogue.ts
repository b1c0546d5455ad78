/** Every text of the form in every language. A key that one language lacks, or has too many, does not compile. */
import type { Locale } from '../../../locale.js';
import { pages as arabicPages } from './ar/pages.js';
import { questionTexts as arabicQuestions } from './ar/questions.js';
import { pages as englishPages } from './en/pages.js';
import { questionTexts as englishQuestions } from './en/questions.js';
import { pages as spanishPages } from './es/pages.js';
import { questionTexts as spanishQuestions } from './es/questions.js';
import { pages as frenchPages } from './fr/pages.js';
import { questionTexts as frenchQuestions } from './fr/questions.js';
import { pages as hindiPages } from './hi/pages.js';
import { questionTexts as hindiQuestions } from './hi/questions.js';
import { pages as portuguesePages } from './pt/pages.js';
import { questionTexts as portugueseQuestions } from './pt/questions.js';
import { pages as tagalogPages } from './tl/pages.js';
import { questionTexts as tagalogQuestions } from './tl/questions.js';
import { pages as urduPages } from './ur/pages.js';
import { questionTexts as urduQuestions } from './ur/questions.js';

const english = { ...englishPages, ...englishQuestions };
type English = typeof english;

type Text<Section> = Section extends string ? string : { readonly [Key in keyof Section]: Text<Section[Key]> };

type CountName = keyof English['counts'] extends `${infer Name}_${Intl.LDMLPluralRule}` ? Name : never;

/** Plurals are as many as the language has; a test sees to it. */
export type Catalogue = Text<Omit<English, 'counts'>> & { readonly counts: Readonly<Record<string, string>> };

export const catalogues: Readonly<Record<Locale, Catalogue>> = {
  en: english,
  es: { ...spanishPages, ...spanishQuestions },
  fr: { ...frenchPages, ...frenchQuestions },
  pt: { ...portuguesePages, ...portugueseQuestions },
  ar: { ...arabicPages, ...arabicQuestions },
  hi: { ...hindiPages, ...hindiQuestions },
  tl: { ...tagalogPages, ...tagalogQuestions },
  ur: { ...urduPages, ...urduQuestions },
};

type PathIn<Section> = {
  [Key in keyof Section & string]: Section[Key] extends string ? Key : `${Key}.${PathIn<Section[Key]>}`;
}[keyof Section & string];

/** `frame.back`, `questions.city.label`; a plural without its form: `counts.minutesLeft`. */
export type TextKey = PathIn<Omit<English, 'counts'>> | `counts.${CountName}`;
