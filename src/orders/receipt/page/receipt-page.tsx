/**
 * The receipt as a page: complete in itself, without a script and without a request to anywhere, so that a merchant can
 * show, send or print it. It says what 12 CFR 1005.31(b)(2) and articles 57 and 58 of PSD2 require of a receipt.
 */
import { readFileSync } from 'node:fs';
import { renderToString } from 'preact-render-to-string';
import { cspHashOf } from '../../../http/answers/html.js';
import type { Locale } from '../../../locale.js';
import { brandStyle, icon, logoOf } from '../../../merchants/branding/branding.js';
import { publicState } from '../../order/transitions.js';
import { headlineOf } from '../headline.js';
import type { SignedReceipt } from '../service.js';
import { Amounts, Cancelling, Dates, Mistakes, Numbers, People, Signature } from './sections.js';
import { ReceiptTexts } from './texts/receipt-texts.js';

const stylesheet = readFileSync(new URL('../../../../web/receipt/receipt.css', import.meta.url), 'utf8');

export interface ReceiptPage {
  readonly html: string;
  /** The text of its only style element. */
  readonly style: string;
}

export function receiptPage(receipt: SignedReceipt, locale: Locale): ReceiptPage {
  const style = `${brandStyle(receipt.merchant.branding)}\n${stylesheet}`;
  const page = <Page receipt={receipt} texts={new ReceiptTexts(locale)} style={style} />;
  return { html: `<!doctype html>${renderToString(page)}`, style };
}

/** Nothing may run, load, post or frame. */
export function receiptHeaders(style: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${cspHashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    vary: 'accept, accept-language',
    'x-robots-tag': 'noindex, nofollow',
  };
}

interface PageProps {
  readonly receipt: SignedReceipt;
  readonly texts: ReceiptTexts;
  readonly style: string;
}

function Page({ receipt, texts, style }: PageProps) {
  const { words, locale, direction } = texts;
  const { merchant, order } = receipt;
  return (
    <html lang={locale} dir={direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${words.title} – ${merchant.name} – ${order.orderId}`}</title>
        <link rel="icon" href={icon} />
        {/* Not escaped, because a style is not HTML. It holds our own rules and colours that we parsed. */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main class="receipt">
          <Head receipt={receipt} texts={texts} />
          <Amounts receipt={receipt} texts={texts} />
          <People receipt={receipt} texts={texts} />
          <Dates receipt={receipt} texts={texts} />
          <Numbers receipt={receipt} texts={texts} />
          <Cancelling receipt={receipt} texts={texts} />
          <Mistakes receipt={receipt} texts={texts} />
          <Signature receipt={receipt} texts={texts} />
        </main>
      </body>
    </html>
  );
}

function Head({ receipt, texts }: Omit<PageProps, 'style'>) {
  const { merchant, order } = receipt;
  const logo = logoOf(merchant.branding);
  const { words } = texts;
  const headline = headlineOf(order);
  return (
    <header>
      <p class="brand">{logo ? <img src={logo} alt={merchant.name} /> : <bdi>{merchant.name}</bdi>}</p>
      <div class="headline">
        <h1>{words.title}</h1>
        <p class="status">{words.statuses[publicState(order.state)]}</p>
      </div>
      <p class="amount">
        <span>{words[headline.kind]}</span>
        <strong>
          <bdi>{texts.money(headline.amount)}</bdi>
        </strong>
      </p>
      {order.statusReason === undefined ? null : <p class="reason">{words.reasons[order.statusReason]}</p>}
    </header>
  );
}
