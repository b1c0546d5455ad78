/** Puts a page of the form into the frame of all hosted pages. */
import type { ComponentChildren } from 'preact';
import { AssetLinks } from '../../../hosted-pages/asset-links.js';
import { framedHtml, type PageFault } from '../../../hosted-pages/frame.js';
import { pageHeaders } from '../../../hosted-pages/policy.js';
import type { PageAnswer } from '../../../http/page.js';
import { brandStyle } from '../../../merchants/branding/branding.js';
import { merchantName, type PageContext } from '../page-context.js';
import { formAssets } from './assets.js';
import { LanguageSwitch } from './language-switch.js';

export interface PageContent {
  readonly title: string;
  readonly faults?: readonly PageFault[];
  readonly children: ComponentChildren;
  readonly status?: number;
  /** The browser reloads the page after so long, also without a script. */
  readonly refreshAfterSeconds?: number | undefined;
  /** The time until the write token ends; the script warns before. */
  readonly expiresInSeconds?: number;
  /** The address at which the script requests more time. */
  readonly extendAt?: string;
}

export function renderPage(context: PageContext, content: PageContent): PageAnswer {
  const { merchant, embedding, texts } = context;
  const { title, faults = [], status = 200, children, refreshAfterSeconds } = content;
  const brand = brandStyle(merchant?.branding);
  const style = embedding ? `${formAssets.stylesheet}\n${brand}` : brand;
  const html = framedHtml({
    locale: texts.locale,
    say: (key, values) => texts.say(`frame.${key}`, values),
    title,
    merchant,
    style,
    head: embedding ? null : <AssetLinks assets={formAssets} toAssets={context.toKyc} />,
    data: {
      'data-expires-in': content.expiresInSeconds,
      'data-extend-at': content.extendAt,
      'data-words': embedding ? undefined : scriptWords(context),
    },
    languages: <LanguageSwitch context={context} />,
    faults,
    refreshAfterSeconds,
    promise: texts.say('frame.encrypted', { merchant: merchantName(context) }),
    children,
  });
  const headers = pageHeaders({
    merchant,
    styles: [style],
    formAction: embedding ? new URL(embedding.baseUrl).origin : "'self'",
    hasScript: !embedding,
  });
  return { status, html, headers };
}

/** The texts of the scripts, in the language of the page. */
function scriptWords({ texts, merchant }: PageContext): string {
  const name = { merchant: merchant?.name ?? '' };
  const minutes = [1, 2, 3, 4, 5].map((count) => texts.say('counts.minutesLeft', { count }));
  return JSON.stringify({
    preparing: texts.say('upload.preparing'),
    sending: texts.say('upload.sending', { percent: '#' }),
    checking: texts.say('upload.checking'),
    sent: texts.say('upload.sent'),
    preview: texts.say('upload.preview'),
    interrupted: texts.say('upload.interrupted'),
    waitForIt: texts.say('upload.waitForIt'),
    problem: texts.say('frame.problem'),
    offline: texts.say('time.offline'),
    timeHeading: texts.say('time.heading'),
    extend: texts.say('time.extend'),
    extended: texts.say('time.extended'),
    atEnd: texts.say('time.atEnd'),
    over: texts.say('time.over', name),
    minutes,
  });
}
