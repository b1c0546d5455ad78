/** The operator's own account: browsers that are signed in, the password, and the second factor. */

import { encodeQR } from 'qr';
import { RemesaError } from '../../errors.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import { statusOfKind } from '../../http/problems/problem.js';
import { appAddress, base32 } from '../../operators/second-factor/totp.js';
import { choosePassword } from '../../operators/service.js';
import type { ListedSession } from '../../operators/sessions/session.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { redirect } from '../frame/layout.js';
import { Scroll } from '../shown/scroll.js';
import { Time } from '../shown/value.js';
import { checkFormToken, type Visitor } from '../visitor.js';
import { newPasswordOf, noFile } from './handlers.js';
import { NewPassword } from './pages.js';

type Fields = ReadonlyMap<string, string>;

export class AccountHandlers {
  constructor(readonly desk: Desk) {}

  show(visit: Seen, database: Queryable): Promise<PageAnswer> {
    return this.desk.show(visit, database, (visitor) => this.#page(visitor, visit, database));
  }

  endSession(visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
    return this.#change(visit, database, async (visitor, fields) => {
      const { sessions } = this.desk.options;
      const by = { actor: visitor.caller, requestId: visit.requestId };
      const chosen = fields.get('session') ?? '';
      await visit.change((tx) =>
        chosen === 'others'
          ? sessions.endAllOthers(tx, by, visitor.session)
          : sessions.endOther(tx, by, visitor.session.operatorId, BigInt(/^\d{1,18}$/.test(chosen) ? chosen : 0)),
      );
      return redirect('/console/account?done=session');
    });
  }

  changePassword(visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
    return this.#change(visit, database, async (visitor, fields) => {
      const { login, cookie } = this.desk.options;
      const { address, requestId } = visit;
      const newPassword = newPasswordOf(fields);
      if (newPassword === undefined) throw new RemesaError('invalid', 'invalid_fields', 'Choose a new password.');
      const chosen = await login.checkCurrent(
        visitor.session,
        { password: fields.get('ownPassword') ?? '', address, requestId },
        newPassword,
      );
      const by = { actor: visitor.caller, requestId };
      await visit.change((tx) => choosePassword(tx, by, visitor.session, chosen));
      // All sessions have ended, this one too.
      return redirect('/console/sign-in', { 'set-cookie': cookie.clear() });
    });
  }

  /** Outside of `Desk.show`, which leads admins without a second factor here. */
  async showSecondFactor(visit: Seen, database: Queryable): Promise<PageAnswer> {
    const visitor = await this.desk.visitors.find(visit, database);
    return visitor ? this.#secondFactorPage(visitor) : redirect('/console/sign-in');
  }

  async setSecondFactor(visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
    const visitor = await this.desk.visitors.find(visit, database);
    if (!visitor) return redirect('/console/sign-in');
    const { secondFactors, login } = this.desk.options;
    const { session } = visitor;
    const { requestId, address } = visit;
    let secret: Buffer | undefined;
    try {
      this.desk.visitors.refuseOtherOrigins(visit);
      const { fields } = await visit.readForm(noFile);
      checkFormToken(visitor, fields);
      secret = secondFactors.openFromForm(fields.get('secret') ?? '', session.operatorId);
      await login.confirm(session, { password: fields.get('ownPassword') ?? '', requestId, address });
      const by = { actor: visitor.caller, requestId };
      const code = (fields.get('code') ?? '').slice(0, 20);
      await visit.change((tx) => this.#save(tx, by, { session, secret, code }));
      return redirect('/console/account?done=second-factor');
    } catch (error) {
      if (!(error instanceof RemesaError)) throw error;
      return this.#secondFactorPage(visitor, secret, error);
    }
  }

  async #save(
    tx: Parameters<Parameters<Posted['change']>[0]>[0],
    by: { actor: Visitor['caller']; requestId: string },
    entered: { session: Visitor['session']; secret: Buffer | undefined; code: string },
  ): Promise<void> {
    const { secondFactors } = this.desk.options;
    const { session, secret, code } = entered;
    if (session.hasSecondFactor) return secondFactors.remove(tx, by, session.operatorId, code);
    if (!secret) throw new RemesaError('invalid', 'invalid_fields', 'Open the page again and begin anew.');
    return secondFactors.confirm(tx, by, session.operatorId, { secret, code });
  }

  #change(
    visit: Seen & Posted,
    database: Queryable,
    work: (visitor: Visitor, fields: Fields) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    return this.desk.show(visit, database, async (visitor) => {
      try {
        this.desk.visitors.refuseOtherOrigins(visit);
        const { fields } = await visit.readForm(noFile);
        checkFormToken(visitor, fields);
        return await work(visitor, fields);
      } catch (error) {
        if (!(error instanceof RemesaError)) throw error;
        return this.#page(visitor, visit, database, error);
      }
    });
  }

  async #page(visitor: Visitor, visit: Seen, database: Queryable, error?: RemesaError): Promise<PageAnswer> {
    const sessions = await this.desk.options.sessions.list(database, visitor.session.operatorId);
    return this.desk.framed(visitor, {
      title: 'Your account',
      status: error ? statusOfKind[error.kind] : 200,
      notice: error ? <Bad error={error} /> : <Done what={visit.search.done} />,
      children: <AccountPage visitor={visitor} sessions={sessions} />,
    });
  }

  #secondFactorPage(visitor: Visitor, known?: Buffer, error?: RemesaError): Promise<PageAnswer> {
    const { secondFactors } = this.desk.options;
    const { operatorId, login, hasSecondFactor } = visitor.session;
    const secret = known ?? secondFactors.newSecret();
    return this.desk.framed(visitor, {
      title: 'Second factor',
      status: error ? statusOfKind[error.kind] : 200,
      notice: error ? <Bad error={error} /> : null,
      children: hasSecondFactor ? (
        <RemoveFactor visitor={visitor} />
      ) : (
        <SetFactor
          visitor={visitor}
          isDemanded={this.desk.lacksSecondFactor(visitor)}
          secret={base32(secret)}
          sealed={secondFactors.sealForForm(secret, operatorId)}
          address={appAddress(secret, login)}
        />
      ),
    });
  }
}

function Bad({ error }: { readonly error: RemesaError }) {
  return (
    <p class="notice bad" role="alert">
      {error.details.errors?.[0]?.message ?? error.publicMessage}
    </p>
  );
}

const doneTexts: Readonly<Record<string, string>> = {
  session: 'The session has ended.',
  'second-factor': 'The second factor was changed.',
};

function Done({ what }: { readonly what: unknown }) {
  const text = typeof what === 'string' ? doneTexts[what] : undefined;
  return text === undefined ? null : (
    <p class="notice good" role="status">
      {text}
    </p>
  );
}

function AccountPage({
  visitor,
  sessions,
}: {
  readonly visitor: Visitor;
  readonly sessions: readonly ListedSession[];
}) {
  const { session, formToken } = visitor;
  return (
    <>
      <h1>
        <bdi>{session.login}</bdi>, {session.role}
      </h1>
      <section class="part">
        <h2>Signed in</h2>
        <Scroll label="Sessions">
          <table>
            <thead>
              <tr>
                <th scope="col">Since</th>
                <th scope="col">Last seen</th>
                <th scope="col">From</th>
                <th scope="col">Browser</th>
                <th scope="col">Do</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((each) => (
                <tr key={String(each.sessionId)}>
                  <td>
                    <Time at={each.startedAt.toISOString()} />
                  </td>
                  <td>
                    <Time at={each.lastSeenAt.toISOString()} />
                  </td>
                  <td>{each.address}</td>
                  <td class="wide">{each.browser}</td>
                  <td>
                    {each.sessionId === session.sessionId ? (
                      'this one'
                    ) : (
                      <EndSession formToken={formToken} session={String(each.sessionId)} text="End" />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
        <p class="hint">A session ends after 15 minutes without a request, and after 12 hours.</p>
        {sessions.length > 1 ? <EndSession formToken={formToken} session="others" text="End all others" /> : null}
      </section>
      <section class="part">
        <h2>Second factor</h2>
        <p>
          {session.hasSecondFactor
            ? 'Signing in needs the code of your app.'
            : 'Your password alone opens this account.'}{' '}
          <a href="/console/account/second-factor">{session.hasSecondFactor ? 'Remove it' : 'Set one up'}</a>
        </p>
      </section>
      <section class="part">
        <h2>Password</h2>
        <form class="command" method="post" action="/console/account/password">
          <input type="hidden" name="formToken" value={formToken} />
          <OwnPassword />
          <NewPassword />
          <p class="send">
            <button type="submit">Change the password and sign out everywhere</button>
          </p>
        </form>
      </section>
    </>
  );
}

function EndSession({
  formToken,
  session,
  text,
}: {
  readonly formToken: string;
  readonly session: string;
  readonly text: string;
}) {
  return (
    <form method="post" action="/console/account/sessions">
      <input type="hidden" name="formToken" value={formToken} />
      <input type="hidden" name="session" value={session} />
      <button type="submit" class="small">
        {text}
      </button>
    </form>
  );
}

function OwnPassword() {
  return (
    <div class="field">
      <label for="ownPassword">Your password now</label>
      <input
        id="ownPassword"
        name="ownPassword"
        type="password"
        maxlength={256}
        required
        autocomplete="current-password"
      />
    </div>
  );
}

function Code() {
  return (
    <div class="field">
      <label for="code">The code that the app shows</label>
      <input id="code" name="code" inputmode="numeric" maxlength={7} required autocomplete="one-time-code" />
    </div>
  );
}

function RemoveFactor({ visitor }: { readonly visitor: Visitor }) {
  return (
    <>
      <h1>Remove the second factor</h1>
      <form class="command" method="post" action="/console/account/second-factor">
        <input type="hidden" name="formToken" value={visitor.formToken} />
        <Code />
        <OwnPassword />
        <p class="send">
          <button type="submit">Remove it</button>
          <a href="/console/account">Back</a>
        </p>
      </form>
    </>
  );
}

interface SetFactorProps {
  readonly visitor: Visitor;
  readonly isDemanded: boolean;
  readonly secret: string;
  readonly sealed: string;
  readonly address: string;
}

function SetFactor({ visitor, isDemanded, secret, sealed, address }: SetFactorProps) {
  return (
    <>
      <h1>Set up a second factor</h1>
      {isDemanded ? <p class="notice waits">Admins of a live instance need one before they go on.</p> : null}
      <p class="lead">
        Scan the picture with an authenticator app, or type the key into it. Then enter the code that it shows.
      </p>
      <QrCode text={address} />
      <p>
        Key: <code data-copy={secret}>{secret.match(/.{4}/g)?.join(' ')}</code>
      </p>
      <form class="command" method="post" action="/console/account/second-factor">
        <input type="hidden" name="formToken" value={visitor.formToken} />
        <input type="hidden" name="secret" value={sealed} />
        <Code />
        <OwnPassword />
        <p class="send">
          <button type="submit" class="main">
            Use it from now on
          </button>
        </p>
      </form>
    </>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium' });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label="QR code for an authenticator app"
    >
      <path d={path} />
    </svg>
  );
}
