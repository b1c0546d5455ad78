/** Links to the page of an order, and visits to it. */
import { type Answer, done } from '../harness/api.js';
import type { Remesa } from '../harness/remesa.js';
import type { Merchant } from '../harness/users.js';

export interface MadeLink {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
}

export function askForLink(
  { api, acme }: Pick<Remesa, 'api' | 'acme'>,
  orderId: string,
  { body = {}, merchant = acme }: { readonly body?: object; readonly merchant?: Merchant } = {},
): Promise<Answer> {
  return api.post(`/orders/${orderId}/links`, { token: merchant.token, body });
}

export async function newLink(
  running: Pick<Remesa, 'api' | 'acme'>,
  orderId: string,
  body: object = {},
): Promise<MadeLink> {
  return done(await askForLink(running, orderId, { body }));
}

export interface Seen {
  readonly status: number;
  readonly html: string;
  /** What a person reads, without tags and isolates. */
  readonly text: string;
  readonly headers: Headers;
}

export async function visit(url: string, init: RequestInit = {}): Promise<Seen> {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const html = await answer.text();
  return { status: answer.status, html, text: textOf(html), headers: answer.headers };
}

export function stageIn({ html }: Pick<Seen, 'html'>): string | undefined {
  return /data-stage="(\w+)"/.exec(html)?.[1];
}

export function textOf(html: string): string {
  const body = html.replace(/^[\s\S]*<body/, '<body').replaceAll(/<(script|style|svg)[\s\S]*?<\/\1>/g, ' ');
  return body
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll('&#39;', '’')
    .replaceAll(/&nbsp;|\u00a0/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}
