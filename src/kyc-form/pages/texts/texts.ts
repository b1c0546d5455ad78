/** The texts of one language. i18next fills in values and picks plurals; Preact escapes. */
import { createInstance, type TFunction } from 'i18next';
import { directionOf, intlLocaleOf, type Locale, locales } from '../../../locale.js';
import { catalogues, type TextKey } from '../catalogue/catalogue.js';
import { boxesIn } from './customs.js';

export type Values = Readonly<Record<string, string | number>>;

export class Texts {
  readonly #translate: TFunction;
  readonly #numbers: Intl.NumberFormat;

  constructor(readonly locale: Locale) {
    this.#translate = i18n.getFixedT(locale);
    this.#numbers = new Intl.NumberFormat(intlLocaleOf(locale), { maximumFractionDigits: 1 });
  }

  /** Values are isolated: their text direction and that of the sentence do not affect each other. */
  say(key: TextKey, values: Values = {}): string {
    return this.#translate(key, this.#isolated(values));
  }

  /** For optional texts, such as the hint of a question. */
  sayIfThere(key: string, values: Values = {}): string | undefined {
    return i18n.exists(key, { lng: this.locale }) ? this.#translate(key, this.#isolated(values)) : undefined;
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  /** A calendar date without a time of day, as `YYYY-MM-DD`, in the order that is usual in the country. */
  date(text: string, country: string | undefined): string {
    const date = new Date(`${text}T00:00:00Z`);
    if (Number.isNaN(date.getTime())) return text;
    const isAmerican = this.locale === 'en' && boxesIn(country)[0] === 'month';
    const locale = isAmerican ? 'en-US' : intlLocaleOf(this.locale);
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
  }

  /** Numbers in the order of the boxes that they go into, which follow the direction of the page. */
  dateSample(numbers: string): string {
    return directionOf(this.locale) === 'rtl' ? `\u2067${numbers}\u2069` : numbers;
  }

  bytes(count: number): string {
    const [value, unit] = count < 1_000_000 ? [count / 1000, 'kilobyte'] : [count / 1_000_000, 'megabyte'];
    const format = new Intl.NumberFormat(intlLocaleOf(this.locale), {
      style: 'unit',
      unit: unit as string,
      maximumFractionDigits: (value as number) < 10 ? 1 : 0,
    });
    return format.format(value as number);
  }

  #isolated(values: Values): Values {
    const isRightToLeft = directionOf(this.locale) === 'rtl';
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' && (isRightToLeft || hasRightToLeft.test(value)) ? isolate(value) : value,
      ]),
    );
  }
}

const hasRightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** First strong isolate: the direction is that of the text's own first letter, and left to right without one. */
function isolate(text: string): string {
  return text === '' || text.startsWith('\u2067') ? text : `\u2068${text}\u2069`;
}

const i18n = createInstance();
// Nothing is loaded, so the texts are ready when the call returns.
void i18n.init({
  lng: 'en',
  fallbackLng: false,
  initAsync: false,
  resources: Object.fromEntries(locales.map((locale) => [locale, { translation: catalogues[locale] }])),
  interpolation: { escapeValue: false },
});

const made = new Map(locales.map((locale) => [locale, new Texts(locale)]));

export function textsIn(locale: Locale): Texts {
  return made.get(locale) as Texts;
}
