/** What every page needs besides its matter: language, merchant, and where it stands among the other pages. */

import type { StepId } from '../requirements.js';
import { chooseLocale, localeOf } from './pages/locale.js';
import { type Texts, textsIn } from './pages/texts.js';
import type { FormFrame, FormMerchant, Locale } from './view.js';

export interface PageContext {
  readonly texts: Texts;
  /** Unknown where a page belongs to no case. */
  readonly merchant: FormMerchant | undefined;
  /** The way from this page's address to `/kyc/`: relative, so that it holds behind any proxy. */
  readonly toKyc: string;
  /** Whether the person chose the language here; then every address carries it along. */
  readonly isSwitched: boolean;
  /** This page below `/kyc/`, for switching the language. */
  readonly here: string | undefined;
  /** For a document that others hand on: styles inside, no script, and it posts to our own address. */
  readonly handedOn?: HandedOn;
}

export interface HandedOn {
  /** Where the world finds us, without a slash at the end. */
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
  const locale = chooseLocale({ switchedTo, link: frame?.locale, acceptLanguage: visitor.acceptLanguage });
  return {
    texts: textsIn(locale),
    merchant: frame?.merchant,
    toKyc: wayToKyc(visitor.path),
    isSwitched: localeOf(switchedTo) !== undefined,
    here,
  };
}

/** From `/kyc/form` it is `./`, from `/kyc/form/token/step` it is `../../`. */
function wayToKyc(path: string): string {
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
