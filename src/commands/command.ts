/** Shared by all commands: opening the database, running a change in one transaction, and printing. */
import { inspect } from 'node:util';
import type { TSchema } from 'typebox';
import type { Actor } from '../caller.js';
import { type Config, isDebugging, readConfig } from '../config/config.js';
import { RemesaError, StartupRefused } from '../errors.js';
import { checkerOf, invalidFields } from '../http/body/field-faults.js';
import { runChange } from '../http/commands/command.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import { CleanupStack } from '../startup/cleanup.js';
import { type OpenedDatabase, type OpenOptions, openDatabase } from '../startup/open-database.js';
import { explainStartupFault } from '../startup-faults.js';
import { wakeOthers } from '../worker/wake-up.js';

/** The actor in the audit log for changes by a command. */
export const commandLine: Actor = { kind: 'system', name: 'command line' };

/** Writes a message for a person to standard error. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Writes a result that a script may read to standard output. */
export function print(value: unknown): void {
  process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}\n`);
}

export interface WithDatabaseOptions {
  readonly mayCreate?: boolean;
  readonly onMigrating?: OpenOptions['onMigrating'];
}

/**
 * Opens the database while `work` runs. Throws `StartupRefused` when the settings have faults, or when the database is
 * missing or not migrated, unless `mayCreate` is set.
 */
export async function withDatabase<Result>(
  work: (opened: OpenedDatabase, config: Config) => Promise<Result>,
  { mayCreate = false, onMigrating }: WithDatabaseOptions = {},
): Promise<Result> {
  const cleanup = new CleanupStack();
  const config = readConfig();
  try {
    const options = { say, useRunningServer: true, mustExist: !mayCreate, onMigrating };
    const opened = await openDatabase(config, options, cleanup);
    return await work(opened, config);
  } catch (error) {
    throw explainStartupFault(error, config);
  } finally {
    await cleanup.run();
  }
}

/** Runs a change in a transaction, as the routes do, and wakes the jobs of running services. */
export function change<Result>(
  { database }: OpenedDatabase,
  verb: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return wakingOthers(database, () => runChange(database, verb));
}

/** Wakes the jobs of running services once the work is done. */
export async function wakingOthers<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  const jobsToWake = new Set<string>();
  database.onWake = (jobs) => {
    for (const job of jobs) jobsToWake.add(job);
  };
  const result = await work();
  if (jobsToWake.size > 0) await wakeOthers(database, jobsToWake);
  return result;
}

/** Checks input against the schema of the route that does the same. Throws `invalid_fields` with all faults. */
export function requireValid(schema: TSchema, input: unknown): void {
  const faults = checkerOf(schema)(input);
  if (faults.length > 0) throw invalidFields(faults);
}

/** Prints why a command failed, and exits with 1. */
export function fail(error: unknown): void {
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
