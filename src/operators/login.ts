/** A login: the password is checked, wrong ones are slowed down and recorded, the right one gets a token. */
import { RemesaError } from '../errors.js';
import { FixedWindows, rateLimited } from '../http/traffic/fixed-windows.js';
import type { Database } from '../postgres/database.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { FailedLogins } from './failed-logins.js';
import type { Operator } from './operator.js';
import { isPassword } from './password.js';
import { operatorSubject } from './status-cache.js';
import { findForLogin } from './store.js';

export const operatorTokenSeconds = 3600;

const wrongPasswords = { name: 'wrong-passwords', requests: 5, windowSeconds: 300 } as const;

export interface LoginAttempt {
  readonly login: string;
  readonly password: string;
  /** The network address that it came from. */
  readonly address: string;
  readonly requestId: string;
}

/** Guesses are counted by login and address: whoever guesses elsewhere does not lock the owner of the login out. */
export class OperatorLogin {
  readonly #guesses = new FixedWindows(wrongPasswords.requests, wrongPasswords.windowSeconds);
  readonly #failures: FailedLogins;

  constructor(
    readonly database: Database,
    readonly authority: TokenAuthority,
    readonly audience: () => string,
  ) {
    this.#failures = new FailedLogins(database);
  }

  /** Throws `unauthorized`, or `rate_limited` after too many wrong passwords. */
  async logIn(attempt: LoginAttempt): Promise<{ operator: Operator; token: string }> {
    const { login, password, address } = attempt;
    // Counted before the password is looked at, so that many at once do not slip through; given back when it is right.
    const guess = `${address} ${login}`;
    const counted = this.#guesses.count(guess);
    if (counted.left < 0) {
      // The first one tells that the limit was reached; the others add nothing to the log.
      if (counted.left === -1) await this.#failures.record(attempt, 'too_many_attempts', undefined);
      throw rateLimited(wrongPasswords, counted.resetSeconds);
    }
    const found = await findForLogin(this.database, login);
    const isRight = await isPassword(password, found?.passwordHash);
    if (!found || !isRight || found.operator.status !== 'active') {
      await this.#failures.record(attempt, reasonOf(found?.operator, isRight), found?.operator);
      throw new RemesaError('unauthenticated', 'unauthorized', 'The login or the password is not right.');
    }
    this.#guesses.forget(guess);
    return { operator: found.operator, token: await this.#issue(found.operator, found.notBefore) };
  }

  #issue(operator: Operator, notBefore: number): Promise<string> {
    return this.authority.issue({
      audience: this.audience(),
      subject: operatorSubject(operator.operatorId),
      clientId: 'operator',
      scope: operator.role,
      userId: undefined,
      notBefore,
      lifetimeSeconds: operatorTokenSeconds,
    });
  }
}

function reasonOf(operator: Operator | undefined, isRight: boolean): string {
  if (!operator) return 'unknown_login';
  return isRight ? 'account_disabled' : 'wrong_password';
}
