/** The texts, amounts, dates and countries of a receipt in one language. */

import type { Locale } from '../../../../locale.js';
import { directionOf, intlLocaleOf } from '../../../../locale.js';
import type { Amount } from '../../../../money/amount.js';
import { minorUnits } from '../../../../money/currency.js';
import { amountToLiteral } from '../../../../money/literal.js';
import { type Rate, rateToLiteral } from '../../../../money/rate.js';
import { arabic } from './ar.js';
import type { ReceiptCatalogue } from './catalogue.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { portuguese } from './pt.js';

const receiptCatalogues: Readonly<Record<Locale, ReceiptCatalogue>> = {
  en: english,
  es: spanish,
  fr: french,
  pt: portuguese,
  ar: arabic,
};

export class ReceiptTexts {
  readonly words: ReceiptCatalogue;
  readonly direction: 'ltr' | 'rtl';
  readonly #intl: string;

  constructor(readonly locale: Locale) {
    this.words = receiptCatalogues[locale];
    this.direction = directionOf(locale);
    this.#intl = intlLocaleOf(locale);
  }

  /** Each value keeps the direction of its own letters within the sentence. */
  fill(text: string, values: Readonly<Record<string, string>>): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => `\u2068${values[name] ?? ''}\u2069`);
  }

  /** All minor units are shown, and the currency by its code: a symbol such as $ stands for many. */
  money(value: Amount): string {
    const digits = minorUnits(value.currency);
    const style = { style: 'currency', currency: value.currency, currencyDisplay: 'code' } as const;
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(this.#intl, { ...style, ...fraction }).format(Number(amountToLiteral(value)));
  }

  /** `1 EUR = 19.9187 MXN`, which reads from left to right in every language. */
  rate(rate: Rate, from: string, to: string): string {
    const format = new Intl.NumberFormat(this.#intl, { maximumSignificantDigits: 6 });
    return `1 ${from} = ${format.format(Number(rateToLiteral(rate)))} ${to}`;
  }

  time(moment: Date): string {
    const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
    return `${new Intl.DateTimeFormat(this.#intl, format).format(moment)} UTC`;
  }

  country(code: string): string {
    return new Intl.DisplayNames(this.locale, { type: 'region' }).of(code) ?? code;
  }
}
