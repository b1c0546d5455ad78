/** What every page needs besides its content: language, merchant, and its own address. */
import type { StepId } from '../../kyc/cases/requirements.js';
import type { FormFrame, FormMerchant } from '../../kyc/submissions/view.js';
import type { Locale } from '../../locale.js';
import { chooseLocale, localeOf } from '../../locale.js';
import { type Texts, textsIn } from './texts/texts.js';

export interface PageContext {
  readonly texts: Texts;
  /** Undefined when the page belongs to no case. */
  readonly merchant: FormMerchant | undefined;
  /** The relative path from this page to `/kyc/`, which works behind any proxy. */
  readonly toKyc: string;
  /** Whether the user chose the language on a page; all addresses then contain it. */
  readonly isSwitched: boolean;
  /** The path of this page below `/kyc/`, for switching the language. */
  readonly here: string | undefined;
  /** For a document that a merchant passes on: styles inside, no script, and it posts to our public address. */
  readonly embedding?: Embedding;
}

export interface Embedding {
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string;
}

/** What is known of a visit, as `Visit` of the edge has it. */
export interface Visitor {
  readonly path: string;
  readonly search: Readonly<Record<string, unknown>>;
  readonly acceptLanguage: string | undefined;
}

export function pageContextOf(
  visitor: Visitor,
  frame: Pick<FormFrame, 'merchant' | 'locale'> | undefined,
  here: string | undefined,
): PageContext {
  const switchedTo = visitor.search.lang;
  const offered = frame?.merchant.branding.languages;
  const locale = chooseLocale({ switchedTo, link: frame?.locale, acceptLanguage: visitor.acceptLanguage, offered });
  return {
    texts: textsIn(locale),
    merchant: frame?.merchant,
    toKyc: pathToKyc(visitor.path),
    isSwitched: localeOf(switchedTo) === locale,
    here,
  };
}

/** From `/kyc/form` it is `./`, from `/kyc/form/token/step` it is `../../`. */
function pathToKyc(path: string): string {
  const below = path.split('/').length - 3;
  return below > 0 ? '../'.repeat(below) : './';
}

/** The address of another page, in the language of this one. */
export function addressOf({ toKyc, isSwitched, texts }: PageContext, below: string): string {
  return `${toKyc}${below}${isSwitched ? `?lang=${texts.locale}` : ''}`;
}

export function addressIn(locale: Locale, { toKyc }: PageContext, below: string): string {
  return `${toKyc}${below}?lang=${locale}`;
}

export function pathOfStep(token: string, step: StepId | 'check'): string {
  return `form/${token}/${step}`;
}

/** Texts may name the merchant; where none is known, they do not. */
export function merchantName({ merchant }: PageContext): string {
  return merchant?.name ?? '';
}
