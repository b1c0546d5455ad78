/** Argon2id, a few at a time: each costs memory and tens of milliseconds by design, and a flood of logins must not. */
import { hash, verify } from '@node-rs/argon2';
import { RemesaError } from '../errors.js';

/** OWASP's second recommendation for Argon2id, which is the library's default kind: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const atOnce = 2;
const waitingAtMost = 32;

declare const hashBrand: unique symbol;
/** Only `hashPassword` makes one, so a password cannot be stored as it was typed. */
export type PasswordHash = string & { readonly [hashBrand]: true };

let running = 0;
const waiting: (() => void)[] = [];

/** Takes tens of milliseconds, so it is done before a transaction begins, never in one. Throws `overloaded`. */
export function hashPassword(password: string): Promise<PasswordHash> {
  return taking(async () => (await hash(password, cost)) as PasswordHash);
}

/** Takes as long for an operator that does not exist. */
export function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  return taking(async () => {
    const isRight = await verify(passwordHash ?? (await nobodysHash()), password);
    return isRight && passwordHash !== undefined;
  });
}

let nobody: Promise<string> | undefined;
function nobodysHash(): Promise<string> {
  nobody ??= hash('nobody has this password', cost);
  return nobody;
}

async function taking<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) {
      throw new RemesaError('unavailable', 'overloaded', 'Too many logins at once.', {
        retryAfterSeconds: 2,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}
