/**
 * Writes the mail to a sender when it is sent: the address of the moment, the language of the sender's links, and a new
 * link to the page of the transfer. The mail says that there is news; amounts and names are on the page.
 */
import { renderToString } from 'preact-render-to-string';
import { chooseLocale, directionOf, type Locale } from '../../locale.js';
import type { ComposedMail, NewsOfOrder, SenderNews } from '../../mail/senders/sender-mail.js';
import { findMerchantById } from '../../merchants/service.js';
import { findOrderOf } from '../../orders/order/finding.js';
import { publicState } from '../../orders/order/transitions.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { linkDays } from '../links/link.js';
import type { LinkService } from '../links/service.js';
import { type TransferTexts, transferTextsIn } from '../pages/texts/transfer-texts.js';
import type { Stage } from '../stage.js';

export interface MailOptions {
  readonly links: LinkService;
  readonly users: UserService;
  readonly baseUrl: () => string;
}

const stages: Readonly<Record<SenderNews, Stage>> = {
  paid: 'preparing',
  answer: 'answer',
  sent: 'sent',
  collect: 'collect',
  arrived: 'arrived',
  refunded: 'refunded',
};

/** Undefined when the merchant wants no mails, the user was deleted, or the news is not true any more. */
export async function composeMail(
  { links, users, baseUrl }: MailOptions,
  tx: Transaction,
  { merchantId, userId, orderId, news }: NewsOfOrder,
): Promise<ComposedMail | undefined> {
  const merchant = await findMerchantById(tx, merchantId);
  if (merchant?.status !== 'active' || merchant.notifySenders !== 'email') return undefined;
  const profile = await users.profile(tx, merchantId, userId);
  if (!profile) return undefined;
  const scope = { merchantId, userId };
  const order = await findOrderOf(tx, scope, orderId);
  if (news === 'answer' && publicState(order.state) !== 'ACTION_REQUIRED') return undefined;
  if (news !== 'refunded' && publicState(order.state) === 'REFUNDED') return undefined;
  const link = await links.localeOf(tx, order);
  const offered = merchant.branding.languages;
  const locale = chooseLocale({ switchedTo: undefined, link, acceptLanguage: undefined, offered });
  const by = { actor: { kind: 'system', name: 'mail to the sender' } } as const;
  const asked = { scope, id: order.orderId, locale, redirectUrl: undefined, days: linkDays.usual };
  const made = await links.create(tx, by, asked);
  const name = merchant.branding.displayName ?? merchant.name;
  const url = `${baseUrl()}/transfer/${made.token}`;
  const texts = transferTextsIn(locale);
  const { text, html } = contentOf(texts, {
    title: titleOf(texts, news),
    name,
    url,
    until: made.link.expiresAt,
    locale,
  });
  const subject = titleOf(texts, news);
  return { to: profile.email, locale, subject, text, html, fromName: name, replyTo: merchant.branding.supportEmail };
}

function titleOf({ transfer }: TransferTexts, news: SenderNews): string {
  return transfer.stages[stages[news]].title;
}

interface Content {
  readonly title: string;
  readonly name: string;
  readonly url: string;
  readonly until: Date;
  readonly locale: Locale;
}

function contentOf(texts: TransferTexts, { title, name, url, until, locale }: Content) {
  const { mail } = texts.transfer;
  const news = texts.fill(mail.text, { merchant: name });
  const keep = texts.fill(mail.keep, { time: texts.time(until) });
  const text = [title, '', news, '', `${mail.open}:`, url, '', keep, ''].join('\n');
  const html = renderToString(
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
      </head>
      <body style="margin:0;padding:24px;background:#f4f6f5;color:#1b2422;font:17px/1.5 system-ui,sans-serif">
        <div style="max-width:520px;margin:0 auto;padding:28px;background:#fff;border-radius:12px">
          <h1 style="margin:0 0 12px;font-size:24px;line-height:1.3">{title}</h1>
          <p style="margin:0 0 24px">{news}</p>
          <p style="margin:0 0 24px">
            <a
              href={url}
              style="display:inline-block;padding:13px 22px;border-radius:8px;background:#0b6b53;color:#fff;text-decoration:none;font-weight:600"
            >
              {mail.open}
            </a>
          </p>
          <p style="margin:0;color:#55615d;font-size:14px">{keep}</p>
        </div>
      </body>
    </html>,
  );
  return { text, html: `<!doctype html>${html}` };
}
