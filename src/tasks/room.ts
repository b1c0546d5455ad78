/** Builds the tasks room from the sources that the other rooms offer. */
import type { Database } from '../postgres/database.js';
import { taskRoutes } from './routes.js';
import { TaskService } from './service.js';
import type { TaskSource } from './task.js';
import { dropExpiredClaims } from './task-claim-store.js';

export function taskRoom(database: Database, sources: readonly TaskSource[]) {
  return {
    routes: taskRoutes(new TaskService(sources)),
    jobs: [
      {
        name: 'tasks.sweep-claims',
        everySeconds: 3600,
        run: () => database.transaction((tx) => dropExpiredClaims(tx)),
      },
    ],
  };
}
