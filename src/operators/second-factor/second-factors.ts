/** The second factor of an operator: a secret that only the operator's authenticator app and we know. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import type { Clock } from '../../clock.js';
import { invalidField, RemesaError } from '../../errors.js';
import { FixedWindows } from '../../http/traffic/fixed-windows.js';
import { instanceTenant, type OperatorId } from '../../ids.js';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { Transaction } from '../../postgres/statement.js';
import { freshBytes } from '../../random.js';
import { findFactor, saveFactor, takeStep } from './second-factor-store.js';
import { acceptedStep } from './totp.js';

const wrongCodes = { name: 'wrong-codes', requests: 5, windowSeconds: 900 } as const;
/** As long as the output of SHA-1, as RFC 4226 recommends. */
const secretBytes = 20;

export class SecondFactors {
  /** For one process. */
  readonly #attempts = new FixedWindows(wrongCodes.requests, wrongCodes.windowSeconds);

  constructor(
    readonly key: Buffer,
    readonly clock: Clock,
  ) {}

  newSecret(): Buffer {
    return Buffer.from(freshBytes(secretBytes));
  }

  /** Until it is confirmed, a new secret waits in the form of the page; nobody else can make or read it. */
  sealForForm(secret: Buffer, operatorId: OperatorId): string {
    return seal(this.key, secret, formBinding(operatorId)).toString('base64url');
  }

  /** Undefined when the text was not made for this operator. */
  openFromForm(sealed: string, operatorId: OperatorId): Buffer | undefined {
    try {
      return open(this.key, Buffer.from(sealed, 'base64url'), formBinding(operatorId));
    } catch {
      return undefined;
    }
  }

  /** The operator proves that the app knows the secret. Throws `invalid_fields` for a wrong code. */
  async confirm(
    tx: Transaction,
    by: By,
    operatorId: OperatorId,
    entered: { secret: Buffer; code: string },
  ): Promise<void> {
    const step = acceptedStep(entered.secret, entered.code, this.clock.now(), 0);
    if (step === undefined) throw wrongCode();
    await saveFactor(tx, operatorId, seal(this.key, entered.secret, storedBinding(operatorId)), step);
    await record(tx, by, operatorId, 'operator.second_factor_set');
  }

  /** Throws as `check` does. */
  async remove(tx: Transaction, by: By, operatorId: OperatorId, code: string): Promise<void> {
    await this.check(tx, operatorId, code);
    await saveFactor(tx, operatorId, undefined, 0);
    await record(tx, by, operatorId, 'operator.second_factor_removed');
  }

  /**
   * A code is right once only. Throws `invalid_fields` for a wrong one, and `rate_limited` after too many. Only who
   * knows the password comes so far, so nobody else can use up the attempts.
   */
  async check(tx: Transaction, operatorId: OperatorId, code: string): Promise<void> {
    const counted = this.#attempts.count(String(operatorId));
    if (counted.left < 0) throw tooMany(counted.resetSeconds);
    const factor = await findFactor(tx, operatorId);
    const secret = factor && open(this.key, factor.sealed, storedBinding(operatorId));
    const step = factor && secret && acceptedStep(secret, code, this.clock.now(), factor.usedStep);
    if (step === undefined || !(await takeStep(tx, operatorId, step))) throw wrongCode();
    this.#attempts.forget(String(operatorId));
  }
}

function storedBinding(operatorId: OperatorId): string {
  return bindingOf('operators', 'second_factor', operatorId);
}

function formBinding(operatorId: OperatorId): string {
  return bindingOf('console', 'new second factor', operatorId);
}

/** True for the error of a wrong code, and for nothing else. */
export function isWrongCode(error: unknown): error is RemesaError {
  return (
    error instanceof RemesaError &&
    error.details.errors?.some(({ field, code }) => field === 'code' && code === 'wrong') === true
  );
}

function wrongCode() {
  return invalidField('code', 'wrong', 'This code is not right. Enter the one that your app shows now.');
}

function tooMany(retryAfterSeconds: number): RemesaError {
  const message = `Too many wrong codes. Try again in ${retryAfterSeconds} s, also with the right one.`;
  const { name: policy, requests: max, windowSeconds } = wrongCodes;
  return new RemesaError('too_many', 'rate_limited', message, {
    retryAfterSeconds,
    members: { policy, max, windowSeconds },
  });
}

function record(tx: Transaction, by: By, operatorId: OperatorId, action: string): Promise<void> {
  return recordChange(tx, by, { merchantId: instanceTenant, action, subject: `operator:${operatorId}` });
}
