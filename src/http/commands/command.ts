/**
 * The command runner: the only way to write. It claims the key, runs the room's verb, encodes and stores the answer,
 * all in one transaction, and wakes the worker after the commit.
 */
import { RemesaError } from '../../errors.js';
import type { Database } from '../../postgres/database.js';
import { CommitOutcomeUnknown, databaseUnavailable } from '../../postgres/failure.js';
import type { Transaction } from '../../postgres/statement.js';
import { traced } from '../../tracing/tracing.js';
import { type CommandAnswer, claim, type KeyClaim, KeyTakenMeanwhile, keepAnswer, outcomeOf } from './idempotency.js';

export interface RunAnswer extends CommandAnswer {
  readonly replayed: boolean;
}

/** The room's verb, bound to its call. Returns the encoded answer. */
type Verb = (tx: Transaction) => Promise<CommandAnswer>;

const maxAttempts = 5;

/** Throws `outcome_unknown` when it cannot be found out whether the change was committed. */
export function runCommand(database: Database, verb: Verb, key: KeyClaim | undefined): Promise<RunAnswer> {
  return traced(
    () => ({ name: 'command' }),
    () =>
      withRetries(
        () => database.transaction((tx) => once(tx, verb, key)),
        (lost) => resolveOutcome(database, key, lost),
      ),
  );
}

/** Runs a change without a key, such as a submitted form. Throws `outcome_unknown` when COMMIT got no answer. */
export function runChange<Result>(database: Database, change: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return withRetries(
    () => database.transaction(change),
    (lost) => Promise.reject(outcomeUnknown(lost)),
  );
}

async function withRetries<Result>(
  attempt: () => Promise<Result>,
  resolve: (lost: CommitOutcomeUnknown) => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof CommitOutcomeUnknown) return await resolve(error);
      if (attempts === maxAttempts || !mayRetry(error)) throw error;
      await pause(attempts);
    }
  }
}

async function once(tx: Transaction, verb: Verb, key: KeyClaim | undefined): Promise<RunAnswer> {
  if (!key) return { ...(await verb(tx)), replayed: false };
  const earlier = await claim(tx, key);
  if (earlier !== undefined) return { ...earlier, replayed: true };
  const answer = await verb(tx);
  await keepAnswer(tx, key, answer);
  return { ...answer, replayed: false };
}

/** COMMIT got no answer. The row of the key shows whether it happened; without a key nothing does. */
async function resolveOutcome(
  database: Database,
  key: KeyClaim | undefined,
  cause: CommitOutcomeUnknown,
): Promise<RunAnswer> {
  if (!key) throw outcomeUnknown(cause);
  const answer = await outcomeOf(database, key).catch((error) => {
    throw outcomeUnknown(error);
  });
  if (answer === undefined) throw databaseUnavailable(cause);
  return { ...answer, replayed: false };
}

function outcomeUnknown(cause: unknown): RemesaError {
  return new RemesaError(
    'unavailable',
    'outcome_unknown',
    'The connection to the database was lost; it is not known whether the change was made.',
    { retryAfterSeconds: 2, cause },
  );
}

/** True after a deadlock, a serialisation failure, or when an equal request has just ended: nothing was written. */
function mayRetry(error: unknown): boolean {
  if (error instanceof KeyTakenMeanwhile) return true;
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === '40001' || code === '40P01';
}

/** Waits a random time, so that two transactions that collided do not collide again. */
function pause(attempts: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempts));
}
