/** A browser without a screen: cookies, redirects and forms as they are on the page. */
import { codeOf, stepAt } from '../../src/operators/second-factor/totp.js';
import { password } from '../harness/access.js';

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where a redirect leads. */
  readonly location: string | null;
}

export class Visitor {
  cookie = '';

  /** `origin` is the address by which browsers come, if a proxy stands before the service. */
  constructor(
    readonly url: () => string,
    readonly origin = url,
  ) {}

  async open(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#keep(
      await fetch(this.#at(path), { redirect: 'manual', headers: { cookie: this.cookie, ...headers } }),
    );
  }

  /** Sends fields as a page of the console would. */
  async send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Shown> {
    const from = { origin: this.origin(), 'sec-fetch-site': 'same-origin', cookie: this.cookie, ...headers };
    const sent = { method: 'POST', redirect: 'manual', headers: from, body: new URLSearchParams(fields) } as const;
    return this.#keep(await fetch(this.#at(path), sent));
  }

  /** Opens a form, alone or on the page of its record, fills it, and sends it with its hidden fields. */
  async fill(path: string, fields: Record<string, string>): Promise<Shown> {
    const first = await this.open(path);
    const { html, status } = /#(do-|decide$)/.test(first.location ?? '')
      ? await this.open(first.location ?? '')
      : first;
    if (status !== 200) throw new Error(`${path}: ${status}`);
    const [, operationId] = /^\/console\/do\/(\w+)/.exec(path) ?? [];
    return this.send(path, { ...hiddenOf(html, operationId), ...fields });
  }

  async signIn(login: string, secret = password): Promise<Shown> {
    return this.send('/console/sign-in', { login, password: secret, next: '/console' });
  }

  #at(path: string): string {
    return new URL(path, this.url()).href;
  }

  async #keep(answer: Response): Promise<Shown> {
    const set = answer.headers.getSetCookie()[0];
    if (set !== undefined) this.cookie = set.split(';', 1)[0] ?? '';
    const { status, headers } = answer;
    return { status, headers, html: await answer.text(), location: headers.get('location') };
  }
}

/** The hidden fields of the form of a command: of that command, or of the last one on the page. */
export function hiddenOf(html: string, operationId?: string): Record<string, string> {
  const own = operationId === undefined ? -1 : html.indexOf(`action="/console/do/${operationId}`);
  const begin = html.lastIndexOf('<form class="command"', own < 0 ? undefined : own);
  const form = html.slice(begin, own < 0 ? undefined : html.indexOf('</form>', begin));
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
}

/** What a page of the session gives every form. */
export function formTokenOf(html: string): string {
  return /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

/** Sets up a second factor in the console, and returns the code with which the operator can sign in next. */
export async function setUpFactor(browser: Visitor, ownPassword: string): Promise<string> {
  const path = '/console/account/second-factor';
  const { html } = await browser.open(path);
  const fields = Object.fromEntries(
    [...html.matchAll(/name="(formToken|secret)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
  );
  const secret = fromBase32(/Key: <code data-copy="([A-Z2-7]+)"/.exec(html)?.[1] ?? '');
  const step = stepAt(new Date());
  const { status } = await browser.send(path, { ...fields, code: codeOf(secret, step - 1), ownPassword });
  if (status !== 303) throw new Error(`the second factor was not set up: ${status}`);
  return codeOf(secret, step);
}

export function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
