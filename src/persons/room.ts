/** Builds the room of persons: the index that recognises them, and the block list. */
import type { FindPending } from '../http/four-eyes.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import { applyJob, type MoneyOfUsers } from './blocks/apply-job.js';
import { blockRoutes } from './blocks/routes.js';
import { BlockService } from './blocks/service.js';
import { listUnappliedBlocks } from './blocks/task-store.js';
import { PersonIndex } from './service.js';

export interface PersonRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly findPending: FindPending;
  readonly log: Log;
}

export function personRoom({ database, rootKey, findPending, log }: PersonRoomOptions) {
  const service = new PersonIndex(rootKey);
  const blocks = new BlockService(service, rootKey);
  let registered: MoneyOfUsers | undefined;
  const money = () => {
    if (!registered) throw new Error('the rooms that have money are not registered');
    return registered;
  };
  return {
    service,
    blocks,
    /** Called once, when the rooms that have money are built. */
    register(rooms: MoneyOfUsers): void {
      registered = rooms;
    },
    routes: blockRoutes({ blocks, findPending }),
    taskSources: [{ kind: 'block_unapplied', list: listUnappliedBlocks }] satisfies TaskSource[],
    jobs: [applyJob({ database, blocks, money, log })],
  };
}
