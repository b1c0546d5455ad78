/** Builds the tasks room from the sources and the obligations that the other rooms offer. */
import type { Clock } from '../clock.js';
import type { Database } from '../postgres/database.js';
import type { Obligation } from './obligation.js';
import { obligationRoutes } from './obligation-routes.js';
import { taskRoutes } from './routes.js';
import { TaskService } from './service.js';
import type { TaskSource } from './task.js';
import { dropExpiredClaims } from './task-claim-store.js';

export interface TaskRoomOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sources: readonly TaskSource[];
  readonly obligations: readonly Obligation[];
}

export function taskRoom({ database, clock, sources, obligations }: TaskRoomOptions) {
  return {
    routes: [...taskRoutes(new TaskService(sources, clock)), ...obligationRoutes(obligations)],
    jobs: [
      {
        name: 'tasks.sweep-claims',
        everySeconds: 3600,
        run: () => database.transaction((tx) => dropExpiredClaims(tx)),
      },
    ],
  };
}
