/** Builds the tasks room from the sources and the obligations that the other rooms offer. */
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { taskGauges } from './gauges.js';
import type { Obligation } from './obligation.js';
import { obligationRoutes } from './obligation-routes.js';
import { taskRoutes } from './routes.js';
import { TaskService } from './service.js';
import type { TaskSource } from './task.js';
import { dropExpiredClaims } from './task-claim-store.js';
import { tellOperatorsJob } from './telling.js';

export interface TaskRoomOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sources: readonly TaskSource[];
  readonly obligations: readonly Obligation[];
  /** Whether operators are told by mail. */
  readonly sendsMail: boolean;
  readonly operatorUrl: () => string;
}

export function taskRoom(options: TaskRoomOptions) {
  const { database, clock, sources, obligations, sendsMail } = options;
  return {
    routes: [...taskRoutes(new TaskService(sources, clock)), ...obligationRoutes(obligations)],
    gauges: taskGauges(options),
    jobs: [
      ...(sendsMail ? [tellOperatorsJob(options)] : []),
      {
        name: 'tasks.sweep-claims',
        everySeconds: 3600,
        run: () => database.transaction((tx) => dropExpiredClaims(tx)),
      },
    ],
  };
}
