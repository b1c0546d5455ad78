/** Metrics of what waits for a person, by kind. Reading all kinds takes dozens of statements, so figures are kept. */
import type { Clock } from '../clock.js';
import { readAtMostEvery } from '../http/monitoring/kept-reading.js';
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Queryable } from '../postgres/statement.js';
import { type CountOfKind, countTasks } from './counts.js';
import { openTasks } from './service.js';
import { type TaskSource, taskKinds } from './task.js';

const keptSeconds = 60;

export function taskGauges(database: Queryable, sources: readonly TaskSource[], clock: Clock): RoomGauge[] {
  const read = readAtMostEvery(keptSeconds, async () => {
    const tasks = await openTasks(database, sources);
    return taskKinds.map((kind) =>
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
