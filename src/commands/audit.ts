/** `remesa audit list` prints what `GET /operator/audit` returns. It needs no login. */
import { type Command, InvalidArgumentError } from 'commander';
import { listAudit, type NamedEntry } from '../changes/listing.js';
import { auditEntry } from '../changes/routes.js';
import { clientIdsOf, merchantIdOf } from '../merchants/service.js';
import { loginsOf } from '../operators/service.js';
import { bookingTimeOf } from '../times.js';
import { print, withDatabase } from './command.js';

interface ListOptions {
  merchant?: string;
  action?: string;
  subject?: string;
  since?: Date;
  limit: number;
  json?: boolean;
}

export const auditNames = { merchantIdOf, clientIdsOf, logins: loginsOf };

const maxEntries = 10_000;

export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('read the audit log: who did what, and when')
    .command('list')
    .description('print audit entries, the newest first')
    .option('--merchant <clientId>', 'only entries about this merchant')
    .option('--action <action>', 'only this action, such as merchant.suspended')
    .option('--subject <subject>', 'only this subject, such as merchant:acme')
    .option(
      '--since <time>',
      'only entries from this time on, for example 2026-11-15 or 2026-11-15T09:30:00Z',
      readTime,
    )
    .option('--limit <count>', `the number of entries, at most ${maxEntries}`, readCount, 50)
    .option('--json', 'print each entry as one line of JSON')
    .action(list);
}

function list({ since, json, ...filter }: ListOptions): Promise<void> {
  return withDatabase(async ({ database }) => {
    const { entries } = await listAudit(database, auditNames, { ...filter, from: since });
    for (const entry of entries) print(json ? JSON.stringify(auditEntry(entry)) : lineOf(entry));
  });
}

function lineOf({ recordedAt, actor, action, subject, fromState, toState }: NamedEntry): string {
  const states = toState === undefined ? [] : [fromState === undefined ? toState : `${fromState} → ${toState}`];
  return [recordedAt.toISOString(), actor, action, subject, ...states].join('\t');
}

function readTime(text: string): Date {
  const time = bookingTimeOf(text);
  if (!time) throw new InvalidArgumentError('Write a time as 2026-11-15T09:30:00Z.');
  return time;
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,5}$/.test(text) || count < 1 || count > maxEntries)
    throw new InvalidArgumentError(`Write a number from 1 to ${maxEntries}.`);
  return count;
}
