/** Logs operators in: checks the password, limits and records wrong ones, and issues a token. */
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
  readonly address: string;
  readonly requestId: string;
}

/** Wrong passwords are counted by login and address, so that guessing from elsewhere does not lock the operator out. */
export class OperatorLogin {
  readonly #attempts = new FixedWindows(wrongPasswords.requests, wrongPasswords.windowSeconds);
  readonly #failures: FailedLogins;

  constructor(
    readonly database: Database,
    readonly authority: TokenAuthority,
    readonly audience: () => string,
  ) {
    this.#failures = new FailedLogins(database);
  }

  /** Throws `unauthorized`, `rate_limited` after too many wrong passwords, or `overloaded`. */
  async logIn(attempt: LoginAttempt): Promise<{ operator: Operator; token: string }> {
    const { login, password, address } = attempt;
    // Counted before the password is checked, so that simultaneous guesses count too. A right password resets the
    // count.
    const source = `${address} ${login}`;
    const counted = this.#attempts.count(source);
    if (counted.left < 0) {
      // Only the first refusal is recorded. Later ones would tell nothing new.
      if (counted.left === -1) await this.#failures.record(attempt, 'too_many_attempts', undefined);
      throw rateLimited(wrongPasswords, counted.resetSeconds);
    }
    const found = await findForLogin(this.database, login);
    const isRight = await isPassword(password, found?.passwordHash);
    if (!found || !isRight || found.operator.status !== 'active') {
      await this.#failures.record(attempt, reasonOf(found?.operator, isRight), found?.operator);
      throw new RemesaError('unauthenticated', 'unauthorized', 'The login or the password is wrong.');
    }
    this.#attempts.forget(source);
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
