/** What the pages of the own account show. */
import { encodeQR } from 'qr';
import type { RemesaError } from '../../errors.js';
import type { ListedSession } from '../../operators/sessions/session.js';
import { Scroll } from '../shown/scroll.js';
import { Time } from '../shown/value.js';
import type { Visitor } from '../visitor.js';
import { NewPassword } from './pages.js';

export function Bad({ error }: { readonly error: RemesaError }) {
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

export function Done({ what }: { readonly what: unknown }) {
  const text = typeof what === 'string' ? doneTexts[what] : undefined;
  return text === undefined ? null : (
    <p class="notice good" role="status">
      {text}
    </p>
  );
}

export function AccountPage({
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

export function RemoveFactor({ visitor }: { readonly visitor: Visitor }) {
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

export function SetFactor({ visitor, isDemanded, secret, sealed, address }: SetFactorProps) {
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
