/** A browser without a screen: cookies, redirects and forms as they are on the page. */
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

  constructor(readonly url: () => string) {}

  async open(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#keep(
      await fetch(this.#at(path), { redirect: 'manual', headers: { cookie: this.cookie, ...headers } }),
    );
  }

  /** Sends fields as a page of the console would. */
  async send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Shown> {
    const from = { origin: this.url(), 'sec-fetch-site': 'same-origin', cookie: this.cookie, ...headers };
    const sent = { method: 'POST', redirect: 'manual', headers: from, body: new URLSearchParams(fields) } as const;
    return this.#keep(await fetch(this.#at(path), sent));
  }

  /** Opens a form, fills it, and sends it with its hidden fields. */
  async fill(path: string, fields: Record<string, string>): Promise<Shown> {
    const { html, status } = await this.open(path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return this.send(path, { ...hiddenOf(html), ...fields });
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

/** The hidden fields of the form of a command, which is the last one on its page. */
export function hiddenOf(html: string): Record<string, string> {
  const form = html.slice(html.lastIndexOf('<form class="command"'));
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
}
