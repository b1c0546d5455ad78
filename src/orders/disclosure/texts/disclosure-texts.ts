/** The texts of a disclosure in one language. */
import { PageTexts } from '../../../hosted-pages/page-texts.js';
import { intlLocaleOf, type Locale } from '../../../locale.js';
import type { ReceiptCatalogue } from '../../receipt/page/texts/catalogue.js';
import { receiptCatalogues } from '../../receipt/page/texts/receipt-texts.js';
import { arabic } from './ar.js';
import type { DisclosureCatalogue } from './catalogue.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { hindi } from './hi.js';
import { portuguese } from './pt.js';
import { tagalog } from './tl.js';
import { urdu } from './ur.js';

const catalogues: Readonly<Record<Locale, DisclosureCatalogue>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
  hi: hindi,
  tl: tagalog,
  ur: urdu,
};

export class DisclosureTexts extends PageTexts {
  readonly words: DisclosureCatalogue;
  /** The names of methods and of what is said about the licensee. */
  readonly receipt: ReceiptCatalogue;

  constructor(locale: Locale) {
    super(locale);
    this.words = catalogues[locale];
    this.receipt = receiptCatalogues[locale];
  }

  percent(basisPoints: bigint): string {
    const style = { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
    return new Intl.NumberFormat(intlLocaleOf(this.locale), style).format(Number(basisPoints) / 10_000);
  }
}
