/** What the commands share: a database for the time of one command, and one transaction for what it changes. */
import { inspect } from 'node:util';
import type { TSchema } from 'typebox';
import type { Actor } from '../caller.js';
import { type Config, isDebugging, readConfig } from '../config/config.js';
import { RemesaError, StartupRefused } from '../errors.js';
import { checkerOf, invalidFields } from '../http/body/field-faults.js';
import { runChange } from '../http/command.js';
import type { Transaction } from '../postgres/statement.js';
import { CleanupStack } from '../startup/cleanup.js';
import { type OpenedDatabase, openDatabase } from '../startup/open-database.js';
import { explainStartupFault } from '../startup-faults.js';
import { wakeOthers } from '../worker/wake-up.js';

/** The audit log names who did it: whoever may run a command on this machine. */
export const commandLine: Actor = { kind: 'system', name: 'command line' };

export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** What a script may want to read goes to standard output; everything else does not. */
export function print(value: unknown): void {
  process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * Opens the database for the time of one command. A database that is missing or not migrated is refused:
 * only `mayCreate` makes or changes one.
 */
export async function withDatabase<Result>(
  work: (opened: OpenedDatabase, config: Config) => Promise<Result>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<Result> {
  const cleanup = new CleanupStack();
  const config = readConfig();
  try {
    const opened = await openDatabase(
      config,
      { say, useRunningServer: true, mustExist: !mayCreate },
      cleanup,
    );
    return await work(opened, config);
  } catch (error) {
    throw explainStartupFault(error, config);
  } finally {
    await cleanup.run();
  }
}

/** Runs a change as the routes do, and tells running services of it. */
export async function change<Result>(
  { database }: OpenedDatabase,
  verb: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let woken: ReadonlySet<string> = new Set();
  database.onWake = (jobs) => {
    woken = jobs;
  };
  const result = await runChange(database, verb);
  if (woken.size > 0) await wakeOthers(database, woken);
  return result;
}

/** What the service would refuse is refused here too, by the same shapes. */
export function refuseFaults(shape: TSchema, given: unknown): void {
  const faults = checkerOf(shape)(given);
  if (faults.length > 0) throw invalidFields(faults);
}

export function refuse(error: unknown): void {
  say(isDebugging() ? inspect(error) : reasonOf(error));
  process.exit(1);
}

function reasonOf(error: unknown): string {
  if (error instanceof StartupRefused) return error.message;
  if (error instanceof RemesaError) {
    const { errors = [] } = error.details;
    const faults = errors.length > 1 ? errors.map(({ field, message }) => `  - ${field}: ${message}`) : [];
    return [error.publicMessage, ...faults].join('\n');
  }
  return error instanceof Error ? String(error.stack) : String(error);
}
