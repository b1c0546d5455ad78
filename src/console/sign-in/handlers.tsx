/** Signing in and out. A password opens a session; with a second factor, the code of the app does. */
import { RemesaError } from '../../errors.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import { statusOfKind } from '../../http/problems/problem.js';
import { isWrongCode } from '../../operators/second-factor/second-factors.js';
import { choosePassword } from '../../operators/service.js';
import type { Browser } from '../../operators/sessions/session.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { framed, redirect } from '../frame/layout.js';
import { isConsoleAddress } from '../same-origin.js';
import { checkFormToken } from '../visitor.js';
import { CodePage, SignInPage } from './pages.js';

export class SignInHandlers {
  constructor(readonly desk: Desk) {}

  async show(visit: Seen, database: Queryable): Promise<PageAnswer> {
    const visitor = await this.desk.visitors.find(visit, database);
    if (visitor) return redirect(nextOf(visit.search.next));
    return this.#page({ next: nextOf(visit.search.next) });
  }

  async signIn(visit: Seen & Posted): Promise<PageAnswer> {
    const { fields } = await visit.readForm(noFile);
    const next = nextOf(fields.get('next'));
    const login = (fields.get('login') ?? '').trim().toLowerCase().slice(0, 120);
    try {
      this.desk.visitors.refuseOtherOrigins(visit);
      const newPassword = newPasswordOf(fields);
      const { operator, chosen } = await this.desk.options.login.check(
        {
          login,
          password: (fields.get('password') ?? '').slice(0, 256),
          address: visit.address,
          requestId: visit.requestId,
        },
        newPassword,
      );
      const { sessions, cookie } = this.desk.options;
      const by = {
        actor: { kind: 'operator', operatorId: operator.operatorId, role: operator.role },
        requestId: visit.requestId,
      } as const;
      const begun = await visit.change(async (tx) => {
        if (chosen) await choosePassword(tx, by, operator, chosen);
        const version = chosen ? undefined : operator.version;
        return sessions.begin(tx, visit.requestId, { ...operator, version }, browserOf(visit));
      });
      const headers = { 'set-cookie': cookie.set(begun.secret) };
      return redirect(begun.awaitsCode ? `/console/sign-in/code?${new URLSearchParams({ next })}` : next, headers);
    } catch (error) {
      if (!(error instanceof RemesaError)) throw error;
      return this.#page({ next, login, error });
    }
  }

  async showCode(visit: Seen): Promise<PageAnswer> {
    return this.#codePage({ next: nextOf(visit.search.next) });
  }

  async enterCode(visit: Seen & Posted): Promise<PageAnswer> {
    const { fields } = await visit.readForm(noFile);
    const next = nextOf(fields.get('next'));
    const { sessions, cookie } = this.desk.options;
    const secret = cookie.read(visit.headers.cookie) ?? '';
    try {
      this.desk.visitors.refuseOtherOrigins(visit);
      const code = (fields.get('code') ?? '').slice(0, 20);
      const begun = await visit.change((tx) =>
        sessions.enterCode(tx, visit.requestId, { secret, code }, browserOf(visit)),
      );
      if (!begun)
        return redirect(`/console/sign-in?${new URLSearchParams({ next })}`, { 'set-cookie': cookie.clear() });
      return redirect(next, { 'set-cookie': cookie.set(begun.secret) });
    } catch (error) {
      if (!(error instanceof RemesaError)) throw error;
      if (isWrongCode(error)) await visit.change((tx) => sessions.noteWrongCode(tx, secret, visit));
      return this.#codePage({ next, error });
    }
  }

  async signOut(visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
    const { sessions, cookie } = this.desk.options;
    const visitor = await this.desk.visitors.find(visit, database);
    if (visitor) {
      this.desk.visitors.refuseOtherOrigins(visit);
      checkFormToken(visitor, (await visit.readForm(noFile)).fields);
      const by = { actor: visitor.caller, requestId: visit.requestId };
      await visit.change((tx) => sessions.end(tx, by, visitor.secret));
    }
    return redirect('/console/sign-in', { 'set-cookie': cookie.clear(), 'clear-site-data': '"cache"' });
  }

  #page({ next, login, error }: { next: string; login?: string; error?: RemesaError }): PageAnswer {
    return framed({
      title: 'Sign in',
      isSandbox: this.desk.isSandbox,
      status: error ? statusOfKind[error.kind] : 200,
      children: <SignInPage next={next} login={login ?? ''} error={error} isSandbox={this.desk.isSandbox} />,
    });
  }

  #codePage({ next, error }: { next: string; error?: RemesaError }): PageAnswer {
    return framed({
      title: 'Code',
      isSandbox: this.desk.isSandbox,
      status: error ? statusOfKind[error.kind] : 200,
      children: <CodePage next={next} error={error} />,
    });
  }
}

/** The forms of these pages have no files. */
export async function noFile(): Promise<undefined> {
  return undefined;
}

/** Undefined without one. Throws `invalid_fields` when it is too short, too long, or was not typed twice alike. */
export function newPasswordOf(fields: ReadonlyMap<string, string>): string | undefined {
  const [chosen = '', again = ''] = [fields.get('newPassword'), fields.get('newPasswordAgain')];
  if (chosen === '' && again === '') return undefined;
  const refuse = (message: string) => new RemesaError('invalid', 'invalid_fields', message);
  if (chosen.length < 12) throw refuse('The new password needs 12 characters or more.');
  if (chosen.length > 256) throw refuse('The new password has more than 256 characters.');
  if (chosen !== again) throw refuse('The new password was typed in two ways. Type it again.');
  return chosen;
}

/** An address of the console only, so that signing in leads nowhere else. */
function nextOf(next: unknown): string {
  return typeof next === 'string' && isConsoleAddress(next) ? next : '/console';
}

function browserOf(visit: Seen): Browser {
  const name = String(visit.headers['user-agent'] ?? 'unknown').replaceAll(/[^\x20-\x7e]/g, '');
  return { address: visit.address, name };
}
