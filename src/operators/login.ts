/** Checks the passwords of operators, limits and records wrong ones, and issues tokens. */
import { invalidField, RemesaError } from '../errors.js';
import { FixedWindows } from '../http/traffic/fixed-windows.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { countFailedLogin, type FailedLogin, FailedLogins } from './failed-logins.js';
import type { Operator } from './operator.js';
import { hashPassword, isPassword, type PasswordHash } from './password.js';
import { operatorSubject } from './status-cache.js';
import { type Credentials, findForLogin, findOperator } from './store.js';

export const operatorTokenSeconds = 3600;

const wrongPasswords = { name: 'wrong-passwords', requests: 5, windowSeconds: 300 } as const;

export interface LoginAttempt {
  readonly login: string;
  /** Or a one-time code. */
  readonly password: string;
  readonly address: string;
  readonly requestId: string;
}

/** A password that an operator has chosen, and the one that it replaces. */
export interface ChosenPassword {
  readonly knownHash: PasswordHash;
  readonly passwordHash: PasswordHash;
}

export interface CheckedLogin {
  readonly operator: Operator;
  readonly notBefore: number;
  /** Set when a one-time code is exchanged for a password. */
  readonly chosen: ChosenPassword | undefined;
}

/** Wrong passwords are counted by login and address, so that guessing from elsewhere does not lock the operator out. */
export class OperatorLogin {
  readonly #attempts = new FixedWindows(wrongPasswords.requests, wrongPasswords.windowSeconds);
  readonly #failures: FailedLogins;

  constructor(
    readonly database: Database,
    readonly authority: TokenAuthority,
    readonly audience: () => string,
    log: Log,
  ) {
    this.#failures = new FailedLogins(database, log);
  }

  /**
   * A one-time code is exchanged for `newPassword`, and opens nothing without it. Throws `unauthorized`,
   * `password_required`, `code_expired`, `rate_limited` after too many wrong passwords, or `overloaded`.
   */
  async check(attempt: LoginAttempt, newPassword: string | undefined): Promise<CheckedLogin> {
    const { operator, passwordHash, notBefore, isCodeExpired } = await this.#checkPassword(attempt);
    if (operator.codeExpiresAt === undefined) {
      if (newPassword === undefined) return { operator, notBefore, chosen: undefined };
      const message = 'is only for a one-time code; use POST /operator/me/password';
      throw invalidField('newPassword', 'not_allowed', message);
    }
    if (isCodeExpired) {
      throw new RemesaError('forbidden', 'code_expired', 'The one-time code has expired. Ask an admin for a new one.');
    }
    if (newPassword === undefined) {
      const message = 'This is a one-time code. Send it with the newPassword of your choice.';
      throw new RemesaError('forbidden', 'password_required', message);
    }
    return { operator, notBefore, chosen: await choose(attempt.password, passwordHash, newPassword) };
  }

  /** Throws as `confirm` does, and `invalid_fields`. */
  async checkCurrent(
    operator: Pick<Operator, 'operatorId'>,
    attempt: Omit<LoginAttempt, 'login'>,
    newPassword: string,
  ): Promise<ChosenPassword> {
    const { passwordHash } = await this.confirm(operator, attempt);
    return choose(attempt.password, passwordHash, newPassword);
  }

  /**
   * The operator, who is signed in, enters the password once more. Throws `password_wrong` where a login throws
   * `unauthorized`; otherwise as `check`.
   */
  async confirm(
    { operatorId }: Pick<Operator, 'operatorId'>,
    attempt: Omit<LoginAttempt, 'login'>,
  ): Promise<Credentials> {
    const operator = await findOperator(this.database, operatorId);
    const login = operator?.login ?? '';
    return this.#checkPassword({ ...attempt, login }).catch((error: unknown) => {
      const isWrong = error instanceof RemesaError && error.kind === 'unauthenticated';
      throw isWrong ? new RemesaError('forbidden', 'password_wrong', 'The current password is wrong.') : error;
    });
  }

  issue({ operatorId, role }: Operator, notBefore: number): Promise<string> {
    return this.authority.issue({
      audience: this.audience(),
      subject: operatorSubject(operatorId),
      clientId: 'operator',
      scope: role,
      userId: undefined,
      notBefore,
      lifetimeSeconds: operatorTokenSeconds,
    });
  }

  async #checkPassword(attempt: LoginAttempt): Promise<Credentials> {
    const { login, password, address } = attempt;
    // Counted before the password is checked, so that simultaneous guesses count too. A right password resets the
    // count.
    const source = `${address} ${login}`;
    const counted = this.#attempts.count(source);
    if (counted.left < 0) {
      countFailedLogin('too_many_attempts');
      // Only the first refusal is recorded. Later ones would tell nothing new.
      if (counted.left === -1) await this.#failures.record(attempt, 'too_many_attempts', undefined);
      throw isLocked(counted.resetSeconds);
    }
    const found = await findForLogin(this.database, login);
    const isRight = await isPassword(password, found?.passwordHash);
    if (!found || !isRight || found.operator.status !== 'active') {
      const reason = reasonOf(found?.operator, isRight);
      countFailedLogin(reason);
      await this.#failures.record(attempt, reason, found?.operator);
      throw new RemesaError('unauthenticated', 'unauthorized', 'The login or the password is wrong.');
    }
    this.#attempts.forget(source);
    return found;
  }
}

/** Throws `invalid_fields` when nothing would change. */
async function choose(known: string, knownHash: PasswordHash, newPassword: string): Promise<ChosenPassword> {
  if (newPassword === known) throw invalidField('newPassword', 'not_allowed', 'must be another one');
  return { knownHash, passwordHash: await hashPassword(newPassword) };
}

function isLocked(retryAfterSeconds: number): RemesaError {
  const { name, requests, windowSeconds } = wrongPasswords;
  const message = `This login is locked for your address after ${requests} wrong passwords. Try again in ${retryAfterSeconds} s, also with the right one.`;
  return new RemesaError('too_many', 'rate_limited', message, {
    retryAfterSeconds,
    members: { policy: name, max: requests, windowSeconds },
  });
}

function reasonOf(operator: Operator | undefined, isRight: boolean): FailedLogin {
  if (!operator) return 'unknown_login';
  return isRight ? 'account_disabled' : 'wrong_password';
}
