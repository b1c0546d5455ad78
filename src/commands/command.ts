/** What the commands share: a database for the time of one command, and one transaction for what it changes. */
import type { TSchema } from 'typebox';
import type { Actor } from '../caller.js';
import { type Config, readConfig } from '../config.js';
import { RemesaError, StartupRefused } from '../errors.js';
import { runCommand } from '../http/command.js';
import { checkerOf, invalidFields } from '../http/field-faults.js';
import { type OpenedDatabase, openDatabase } from '../open-database.js';
import type { Transaction } from '../postgres/statement.js';
import { UndoList } from '../undo.js';
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

export async function withDatabase<Result>(
  work: (opened: OpenedDatabase, config: Config) => Promise<Result>,
): Promise<Result> {
  const undo = new UndoList();
  try {
    const config = readConfig();
    return await work(await openDatabase(config, { say, asGuest: true }, undo), config);
  } finally {
    await undo.run();
  }
}

/** Through the same command runner as everything else that writes. */
export async function change<Result>(
  { database }: OpenedDatabase,
  verb: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | undefined;
  const woken = new Set<string>();
  database.onWake = (jobs) => {
    for (const job of jobs) woken.add(job);
  };
  await runCommand(
    database,
    async (tx) => {
      result = { value: await verb(tx) };
      return '';
    },
    undefined,
  );
  if (woken.size > 0) await wakeOthers(database, woken);
  return (result as { value: Result }).value;
}

/** What the service would refuse is refused here too, by the same shapes. */
export function refuseFaults(shape: TSchema, given: unknown): void {
  const faults = checkerOf(shape)(given);
  if (faults.length > 0) throw invalidFields(faults);
}

export function refuse(error: unknown): void {
  say(reasonOf(error));
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
