/** The texts of the transfer page in one language. What the receipt also says, it says in the same words. */
import type { Locale } from '../../../locale.js';
import { locales } from '../../../locale.js';
import { ReceiptTexts } from '../../../orders/receipt/page/texts/receipt-texts.js';
import { arabic } from './ar.js';
import type { TransferCatalogue } from './catalogue.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { hindi } from './hi.js';
import { portuguese } from './pt.js';
import { tagalog } from './tl.js';
import { urdu } from './ur.js';

export const transferCatalogues: Readonly<Record<Locale, TransferCatalogue>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
  hi: hindi,
  tl: tagalog,
  ur: urdu,
};

export class TransferTexts extends ReceiptTexts {
  readonly transfer: TransferCatalogue;

  constructor(locale: Locale) {
    super(locale);
    this.transfer = transferCatalogues[locale];
  }
}

const made = new Map(locales.map((locale) => [locale, new TransferTexts(locale)]));

export function transferTextsIn(locale: Locale): TransferTexts {
  return made.get(locale) ?? new TransferTexts(locale);
}
