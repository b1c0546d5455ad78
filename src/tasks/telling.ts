/**
 * Tells operators by mail what waits for them: some kinds of tasks at once, all others when they are overdue. The mail
 * and the note of what it told are one transaction, so that each task is told once.
 */
import type { Clock } from '../clock.js';
import type { NewMail } from '../mail/mail.js';
import { writeMail } from '../mail/service.js';
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import { dueAtOf } from './duty.js';
import { openTasks } from './service.js';
import type { KindOfTask, TaskKind, TaskSource } from './task.js';
import { forgetEndedTasks, tellOnce } from './telling-store.js';

/** Somebody else must know at once: money stands still, a merchant hears nothing, or a colleague waits. */
const toldAtOnce: ReadonlySet<TaskKind> = new Set([
  'approval',
  'bank_batch',
  'failing_endpoint',
  'ledger_fault',
  'payout_unknown',
  'rail_failing',
]);

const everySeconds = 60;
const listedAtMost = 50;

export interface TellingOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sources: readonly TaskSource[];
  /** The address of the console, for the links. */
  readonly operatorUrl: () => string;
}

export function tellOperatorsJob(options: TellingOptions): Job {
  return { name: 'tasks.tell-operators', everySeconds, run: () => tell(options) };
}

async function tell({ database, clock, sources, operatorUrl }: TellingOptions): Promise<number> {
  const tasks = await openTasks(database, sources);
  const now = clock.now();
  const urgent = tasks.filter(({ kind }) => toldAtOnce.has(kind));
  const overdue = tasks.filter((task) => dueAtOf(task) < now);
  await database.transaction(async (tx) => {
    await forgetEndedTasks(tx, tasks);
    const isNew = await tellOnce(tx, urgent, 'new');
    const isOverdue = await tellOnce(tx, overdue, 'overdue');
    const told = [...isNew, ...isOverdue.filter((task) => !isNew.includes(task))];
    if (told.length === 0) return;
    await writeMail(tx, mailOf(told, now, operatorUrl()));
  });
  return 0;
}

/** Summaries of tasks contain nothing personal. */
export function mailOf(tasks: readonly KindOfTask[], now: Date, operatorUrl: string): NewMail {
  const lines = tasks.slice(0, listedAtMost).flatMap((task) => {
    const dueAt = dueAtOf(task);
    const due = dueAt < now ? `overdue since ${dueAt.toISOString()}` : `due by ${dueAt.toISOString()}`;
    return [`- ${task.kind}: ${task.summary} (${due})`, `  ${operatorUrl}${screenOf(task.path)}`];
  });
  const more = tasks.length > listedAtMost ? [`… and ${tasks.length - listedAtMost} more.`] : [];
  const count = tasks.length === 1 ? '1 task waits' : `${tasks.length} tasks wait`;
  return {
    subject: `Remesa: ${count} for you`,
    content: [...lines, ...more, '', `Everything that waits: ${operatorUrl}/console/tasks`, ''].join('\n'),
  };
}

/** The console has a page for each GET of operators, at the same path below `/console`. */
function screenOf(path: string): string {
  return path.replace(/^\/operator\//, '/console/');
}
