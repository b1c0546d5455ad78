/** The pages before a session is open. */
import type { RemesaError } from '../../errors.js';

interface SignInProps {
  readonly next: string;
  readonly login: string;
  readonly error: RemesaError | undefined;
  readonly isSandbox: boolean;
}

export function SignInPage({ next, login, error, isSandbox }: SignInProps) {
  const needsPassword = error?.code === 'password_required' || error?.code === 'invalid_fields';
  return (
    <div class="door">
      <h1>Remesa console</h1>
      {error ? (
        <p class={needsPassword && error.code === 'password_required' ? 'notice waits' : 'notice bad'} role="alert">
          {error.code === 'password_required'
            ? 'This is a one-time code. Enter it once more, with the password that you choose.'
            : error.publicMessage}
        </p>
      ) : null}
      <form method="post" action="/console/sign-in">
        <input type="hidden" name="next" value={next} />
        <div class="field">
          <label for="login">Login</label>
          <input
            id="login"
            name="login"
            value={login}
            maxlength={120}
            required
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
          />
        </div>
        <div class="field">
          <label for="password">{needsPassword ? 'One-time code' : 'Password, or one-time code'}</label>
          <input
            id="password"
            name="password"
            type="password"
            maxlength={256}
            required
            autocomplete="current-password"
          />
        </div>
        {needsPassword ? <NewPassword /> : null}
        <p class="send">
          <button type="submit" class="main">
            Sign in
          </button>
        </p>
      </form>
      {isSandbox ? (
        <p class="hint">
          In the sandbox, make an account with <code>npm run remesa -- operator create ana</code>.
        </p>
      ) : null}
    </div>
  );
}

export function NewPassword() {
  return (
    <>
      <div class="field">
        <label for="newPassword">New password</label>
        <p class="hint">12 characters or more.</p>
        <input
          id="newPassword"
          name="newPassword"
          type="password"
          minlength={12}
          maxlength={256}
          required
          autocomplete="new-password"
        />
      </div>
      <div class="field">
        <label for="newPasswordAgain">New password, again</label>
        <input
          id="newPasswordAgain"
          name="newPasswordAgain"
          type="password"
          minlength={12}
          maxlength={256}
          required
          autocomplete="new-password"
        />
      </div>
    </>
  );
}

export function CodePage({ next, error }: { readonly next: string; readonly error: RemesaError | undefined }) {
  return (
    <div class="door">
      <h1>Code of your app</h1>
      {error ? (
        <p class="notice bad" role="alert">
          {error.details.errors?.[0]?.message ?? error.publicMessage}
        </p>
      ) : null}
      <form method="post" action="/console/sign-in/code">
        <input type="hidden" name="next" value={next} />
        <div class="field">
          <label for="code">Six digits</label>
          <input
            id="code"
            name="code"
            inputmode="numeric"
            pattern="[0-9 ]{6,7}"
            maxlength={7}
            required
            autocomplete="one-time-code"
            autofocus
          />
        </div>
        <p class="send">
          <button type="submit" class="main">
            Go on
          </button>
          <a href="/console/sign-in">Start again</a>
        </p>
      </form>
      <p class="hint">
        Have you lost the app? An admin can replace your password by a one-time code, which ends the second factor too.
      </p>
    </div>
  );
}
