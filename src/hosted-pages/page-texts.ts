/** Sentences, amounts, times and countries of a hosted page in one language. */
import { directionOf, intlLocaleOf, type Locale } from '../locale.js';
import type { Amount } from '../money/amount.js';
import { minorUnits } from '../money/currency.js';
import { amountToLiteral } from '../money/literal.js';
import { type Rate, rateToLiteral } from '../money/rate.js';
import type { FrameKey, HostedWords } from './words/catalogue.js';
import { hostedWords } from './words/words.js';

export type Values = Readonly<Record<string, string>>;

export class PageTexts {
  readonly direction: 'ltr' | 'rtl';
  readonly hosted: HostedWords;
  readonly #intl: string;

  constructor(readonly locale: Locale) {
    this.direction = directionOf(locale);
    this.hosted = hostedWords[locale];
    this.#intl = intlLocaleOf(locale);
  }

  /** Each value keeps the direction of its own letters within the sentence. */
  fill(text: string, values: Values): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => `\u2068${values[name] ?? ''}\u2069`);
  }

  frame(key: FrameKey, values: Values = {}): string {
    return this.fill(this.hosted.frame[key], values);
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

  /** A day, as YYYY-MM-DD. */
  day(text: string): string {
    const format = new Intl.DateTimeFormat(this.#intl, { dateStyle: 'long', timeZone: 'UTC' });
    return format.format(new Date(`${text}T00:00:00Z`));
  }

  country(code: string): string {
    return new Intl.DisplayNames(this.locale, { type: 'region' }).of(code) ?? code;
  }
}
