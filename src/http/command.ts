/**
 * The command runner: the only way to write. Begin → claim the key → the room's verb → encode → keep the answer →
 * commit → wake the worker, all in one transaction.
 */
import { RemesaError } from '../errors.js';
import type { Database } from '../postgres/database.js';
import { CommitOutcomeUnknown, databaseUnavailable } from '../postgres/failure.js';
import type { Transaction } from '../postgres/statement.js';
import { claim, type KeyClaim, KeyTakenMeanwhile, keepAnswer, outcomeOf } from './idempotency.js';

export interface CommandAnswer {
  readonly body: string;
  readonly replayed: boolean;
}

/** The verb, already bound to its call, answering its encoded answer. */
type Verb = (tx: Transaction) => Promise<string>;

const attemptsAtMost = 5;

export function runCommand(
  database: Database,
  verb: Verb,
  key: KeyClaim | undefined,
): Promise<CommandAnswer> {
  return repeated(
    () => database.transaction((tx) => once(tx, verb, key)),
    (lost) => resolveOutcome(database, key, lost),
  );
}

/** A change that takes no key: the post of a form. */
export function runChange<Result>(
  database: Database,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return repeated(
    () => database.transaction(change),
    (lost) => Promise.reject(outcomeUnknown(lost)),
  );
}

async function repeated<Result>(
  attemptOnce: () => Promise<Result>,
  resolve: (lost: CommitOutcomeUnknown) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (error instanceof CommitOutcomeUnknown) return await resolve(error);
      if (attempt === attemptsAtMost || !isWorthRepeating(error)) throw error;
      await pause(attempt);
    }
  }
}

async function once(tx: Transaction, verb: Verb, key: KeyClaim | undefined): Promise<CommandAnswer> {
  if (!key) return { body: await verb(tx), replayed: false };
  const earlier = await claim(tx, key);
  if (earlier !== undefined) return { body: earlier, replayed: true };
  const body = await verb(tx);
  await keepAnswer(tx, key, body);
  return { body, replayed: false };
}

/** A lost answer to COMMIT is not a lost COMMIT: only the row of the key tells which it was. */
async function resolveOutcome(
  database: Database,
  key: KeyClaim | undefined,
  cause: CommitOutcomeUnknown,
): Promise<CommandAnswer> {
  if (!key) throw outcomeUnknown(cause);
  const body = await database
    .transaction((tx) => outcomeOf(tx, key))
    .catch((error) => {
      throw outcomeUnknown(error);
    });
  if (body === undefined) throw databaseUnavailable(cause);
  return { body, replayed: false };
}

function outcomeUnknown(cause: unknown): RemesaError {
  return new RemesaError(
    'unavailable',
    'outcome_unknown',
    'The connection to the database was lost; it is not known whether the change was made.',
    { retryAfterSeconds: 2, cause },
  );
}

/** Deadlock, serialisation failure, or an equal request that won: the transaction left nothing behind. */
function isWorthRepeating(error: unknown): boolean {
  if (error instanceof KeyTakenMeanwhile) return true;
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === '40001' || code === '40P01';
}

/** With jitter, so that two who collided do not collide again. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
}
