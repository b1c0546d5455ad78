/**
 * The receipt as a page: complete in itself, without a script and without a request to anywhere, so that a merchant can
 * show, send or print it. It says what 12 CFR 1005.31(b)(2) and articles 57 and 58 of PSD2 require of a receipt.
 */
import { readFileSync } from 'node:fs';
import { framedHtml, frameStyle } from '../../../hosted-pages/frame.js';
import { cspHashOf } from '../../../http/answers/html.js';
import type { Locale } from '../../../locale.js';
import { brandStyle } from '../../../merchants/branding/branding.js';
import { publicState } from '../../order/transitions.js';
import { headlineOf } from '../headline.js';
import type { SignedReceipt } from '../service.js';
import { Amounts, Cancelling, Dates, Mistakes, Numbers, People, Provider, Signature } from './sections.js';
import { ReceiptTexts } from './texts/receipt-texts.js';

/** The style of the content, which comes after that of the frame. */
const contentStyle = readFileSync(new URL('../../../../web/receipt/receipt.css', import.meta.url), 'utf8');

/** Of papers that are complete in themselves. */
export const paperStyle = `${frameStyle}\n${contentStyle}`;

export interface ReceiptPage {
  readonly html: string;
  /** The text of its only style element. */
  readonly style: string;
}

export function receiptPage(receipt: SignedReceipt, locale: Locale): ReceiptPage {
  const { merchant, order } = receipt;
  const style = `${paperStyle}\n${brandStyle(merchant.branding)}`;
  const texts = new ReceiptTexts(locale);
  const html = framedHtml({
    locale,
    say: (key, values) => texts.frame(key, values),
    title: `${texts.words.title} ${order.orderId}`,
    merchant: { ...merchant, allowedOrigins: [], licensee: receipt.licensee },
    style,
    hasHelp: false,
    children: <ReceiptContent receipt={receipt} texts={texts} />,
  });
  return { html, style };
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

interface ContentProps {
  readonly receipt: SignedReceipt;
  readonly texts: ReceiptTexts;
}

/** What is inside the frame. */
function ReceiptContent({ receipt, texts }: ContentProps) {
  return (
    <article class="receipt">
      <Head receipt={receipt} texts={texts} />
      <Amounts receipt={receipt} texts={texts} />
      <People receipt={receipt} texts={texts} />
      <Dates receipt={receipt} texts={texts} />
      <Numbers receipt={receipt} texts={texts} />
      <Cancelling receipt={receipt} texts={texts} />
      <Mistakes receipt={receipt} texts={texts} />
      <Provider receipt={receipt} texts={texts} />
      <Signature receipt={receipt} texts={texts} />
    </article>
  );
}

function Head({ receipt, texts }: ContentProps) {
  const { order } = receipt;
  const { words } = texts;
  const headline = headlineOf(order);
  return (
    <header>
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
