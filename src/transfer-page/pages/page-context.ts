/** What every page of a transfer needs besides its content: language, merchant, and its own address. */
import type { PageMerchant } from '../../hosted-pages/frame.js';
import type { Visit } from '../../http/page.js';
import { chooseLocale, type Locale, localeOf } from '../../locale.js';
import { type TransferTexts, transferTextsIn } from './texts/transfer-texts.js';

export interface PageContext {
  readonly texts: TransferTexts;
  /** Undefined when it is not known whose page it is. */
  readonly merchant: PageMerchant | undefined;
  /** The relative path from this page to `/transfer/`, which works behind any proxy. */
  readonly toTransfer: string;
  /** Whether the sender chose the language on a page; all addresses then contain it. */
  readonly isSwitched: boolean;
  /** The path of this page below `/transfer/`, for switching the language. */
  readonly here: string | undefined;
}

type Visitor = Pick<Visit, 'path' | 'search' | 'acceptLanguage'>;

export interface PageOwner {
  readonly merchant: PageMerchant;
  readonly link: { readonly locale: Locale | undefined };
}

export function pageContextOf(visitor: Visitor, owner: PageOwner | undefined, here: string | undefined): PageContext {
  const switchedTo = visitor.search.lang;
  const offered = owner?.merchant.branding.languages;
  const locale = chooseLocale({
    switchedTo,
    link: owner?.link.locale,
    acceptLanguage: visitor.acceptLanguage,
    offered,
  });
  return {
    texts: transferTextsIn(locale),
    merchant: owner?.merchant,
    toTransfer: pathToTransfer(visitor.path),
    isSwitched: localeOf(switchedTo) === locale,
    here,
  };
}

/** From `/transfer/token` it is `./`, from `/transfer/token/cancel` it is `../`. Invitations are beside. */
function pathToTransfer(path: string): string {
  if (path.startsWith('/recipient/')) return '../transfer/';
  const below = path.split('/').length - 3;
  return below > 0 ? '../'.repeat(below) : './';
}

/** The address of another page, in the language of this one. */
export function addressOf({ toTransfer, isSwitched, texts }: PageContext, below: string): string {
  return `${toTransfer}${below}${isSwitched ? `?lang=${texts.locale}` : ''}`;
}

export function merchantName({ merchant }: PageContext): string {
  return merchant?.name ?? '';
}
