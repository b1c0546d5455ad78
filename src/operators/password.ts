/**
 * Hashes passwords with Argon2id. By design each hash costs memory and tens of milliseconds, so only a few are computed
 * at a time: a flood of logins must not exhaust the process.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { RemesaError } from '../errors.js';
import { Semaphore } from '../worker/semaphore.js';

/** OWASP's second recommendation for Argon2id, the default of the library: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Two hashes at a time. 32 more callers may wait. */
const hashing = new Semaphore(2, 32);

declare const hashBrand: unique symbol;
/** Only `hashPassword` returns this type, so a password cannot be stored as it was typed. */
export type PasswordHash = string & { readonly [hashBrand]: true };

/**
 * Call it before a transaction begins, never in one, because it takes tens of milliseconds. Throws `overloaded` when
 * too many callers wait.
 */
export function hashPassword(password: string): Promise<PasswordHash> {
  return withSlot(async () => (await hash(password, cost)) as PasswordHash);
}

/** A one-time code, and the hash under which it is stored. Throws `overloaded` when too many callers wait. */
export interface NewCode {
  readonly code: string;
  readonly codeHash: PasswordHash;
}

export async function newOneTimeCode(): Promise<NewCode> {
  const code = randomBytes(15).toString('base64url');
  return { code, codeHash: await hashPassword(code) };
}

/** Takes as long for an operator that does not exist. Throws `overloaded` when too many callers wait. */
export function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  return withSlot(async () => {
    const matches = await verify(passwordHash ?? (await substituteHash()), password);
    return matches && passwordHash !== undefined;
  });
}

let substitute: Promise<string> | undefined;

/** Stands in for the hash of an operator that does not exist. */
function substituteHash(): Promise<string> {
  substitute ??= hash('nobody has this password', cost);
  return substitute;
}

async function withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashing.isFull) {
    throw new RemesaError('unavailable', 'overloaded', 'Too many logins at once. Try again shortly.', {
      retryAfterSeconds: 2,
    });
  }
  const release = await hashing.acquire();
  try {
    return await work();
  } finally {
    release();
  }
}
