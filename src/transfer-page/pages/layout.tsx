/** Puts a page of a transfer into the frame of all hosted pages. */
import type { ComponentChildren } from 'preact';
import { AssetLinks } from '../../hosted-pages/asset-links.js';
import { framedHtml, type PageFault } from '../../hosted-pages/frame.js';
import { LanguageLinks, LanguageMenu } from '../../hosted-pages/language-menu.js';
import { pageHeaders } from '../../hosted-pages/policy.js';
import type { PageAnswer } from '../../http/page.js';
import { brandStyle } from '../../merchants/branding/branding.js';
import { transferAssets } from './assets.js';
import type { PageContext } from './page-context.js';

export interface PageContent {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly status?: number;
  /** Absent: to keep the link to oneself. */
  readonly promise?: string;
  readonly faults?: readonly PageFault[];
  /** Without a script, the browser reloads the page after so long. */
  readonly refreshAfterSeconds?: number | undefined;
  /** What the script needs to follow the transfer. Absent: nothing is followed. */
  readonly following?: Following | undefined;
}

export interface Following {
  /** The version of what the page shows. */
  readonly version: number | string;
  /** The path from `/transfer/` to the page. */
  readonly at: string;
  /** Changes are told below this path. Otherwise the page is asked for now and then. */
  readonly isTold: boolean;
}

export function renderPage(context: PageContext, content: PageContent): PageAnswer {
  const { merchant, texts, toTransfer, here } = context;
  const { locale } = texts;
  const { title, children, status = 200, faults = [], refreshAfterSeconds, following } = content;
  const offered = merchant?.branding.languages;
  const style = brandStyle(merchant?.branding);
  const html = framedHtml({
    locale,
    say: (key, values) => texts.frame(key, values),
    title,
    merchant,
    style,
    head: (
      <>
        <AssetLinks assets={transferAssets} toAssets={toTransfer} />
        {refreshAfterSeconds === undefined ? null : (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshAfterSeconds)} />
          </noscript>
        )}
      </>
    ),
    data: {
      'data-copied': texts.transfer.pay.copied,
      'data-updated': texts.transfer.updated,
      'data-newer': following && texts.transfer.newer,
      'data-version': following?.version,
      'data-follow': following && `${toTransfer}${following.at}`,
      'data-told': following?.isTold ? 'yes' : undefined,
    },
    languages:
      here === undefined || offered?.length === 1 ? null : (
        <LanguageMenu locale={locale} label={texts.frame('language')}>
          <LanguageLinks
            locale={locale}
            offered={offered}
            addressIn={(other) => `${toTransfer}${here}?lang=${other}`}
          />
        </LanguageMenu>
      ),
    faults,
    promise: merchant && (content.promise ?? texts.transfer.promise),
    children,
  });
  const headers = pageHeaders({ merchant, styles: [style], formAction: "'self'", hasScript: true });
  return { status, html, headers };
}
