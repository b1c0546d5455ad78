/** The texts of a receipt in one language. */
import { PageTexts } from '../../../../hosted-pages/page-texts.js';
import type { Locale } from '../../../../locale.js';
import { arabic } from './ar.js';
import type { ReceiptCatalogue } from './catalogue.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { hindi } from './hi.js';
import { portuguese } from './pt.js';
import { tagalog } from './tl.js';
import { urdu } from './ur.js';

export const receiptCatalogues: Readonly<Record<Locale, ReceiptCatalogue>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
  hi: hindi,
  tl: tagalog,
  ur: urdu,
};

export class ReceiptTexts extends PageTexts {
  readonly words: ReceiptCatalogue;

  constructor(locale: Locale) {
    super(locale);
    this.words = receiptCatalogues[locale];
  }
}
