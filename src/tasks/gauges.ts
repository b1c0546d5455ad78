/** Metrics of what waits for a person, by kind. Reading all kinds takes dozens of statements, so figures are kept. */
import type { Clock } from '../clock.js';
import { readAtMostEvery } from '../http/monitoring/kept-reading.js';
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Log } from '../log.js';
import { isDatabaseUnavailable, isTimeLimit } from '../postgres/failure.js';
import type { Queryable } from '../postgres/statement.js';
import { type CountOfKind, countTasks } from './counts.js';
import { openTasksOf } from './service.js';
import { type KindOfTask, type TaskKind, type TaskSource, taskKinds } from './task.js';

const keptSeconds = 60;

export interface TaskGaugesOptions {
  readonly database: Queryable;
  readonly sources: readonly TaskSource[];
  readonly clock: Clock;
  readonly log: Log;
}

/** A kind that cannot be read, such as within the time that a statement may take, has no figure. The others do. */
export function taskGauges({ database, sources, clock, log }: TaskGaugesOptions): RoomGauge[] {
  const read = readAtMostEvery(keptSeconds, async () => {
    const tasks: KindOfTask[] = [];
    const unread = new Set<TaskKind>();
    for (const source of sources) {
      try {
        tasks.push(...(await openTasksOf(database, source)));
      } catch (error) {
        if (isDatabaseUnavailable(error) && !isTimeLimit(error)) throw error;
        log.error({ kind: source.kind, err: error }, 'the tasks of a kind cannot be counted');
        unread.add(source.kind);
      }
    }
    return taskKinds
      .filter((kind) => !unread.has(kind))
      .map((kind) =>
        countTasks(
          kind,
          tasks.filter((task) => task.kind === kind),
          clock.now(),
        ),
      );
  });
  const gauge = (name: string, help: string, figure: (count: CountOfKind) => number): RoomGauge => ({
    name,
    help,
    label: 'kind',
    read: async () => new Map((await read()).map((count) => [count.kind, figure(count)])),
  });
  return [
    gauge('remesa_tasks', 'What waits for a person, counted up to 500 of a kind.', ({ count }) => count),
    gauge('remesa_tasks_overdue', 'How many of them somebody should have done by now.', ({ overdue }) => overdue),
  ];
}
