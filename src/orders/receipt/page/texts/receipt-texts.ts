/** The texts of a receipt in one language. */
import { PageTexts } from '../../../../hosted-pages/page-texts.js';
import type { Locale } from '../../../../locale.js';
import { arabic } from './ar.js';
import type { ReceiptCatalogue } from './catalogue.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { portuguese } from './pt.js';

export const receiptCatalogues: Readonly<Record<Locale, ReceiptCatalogue>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
};

export class ReceiptTexts extends PageTexts {
  readonly words: ReceiptCatalogue;

  constructor(locale: Locale) {
    super(locale);
    this.words = receiptCatalogues[locale];
  }
}
