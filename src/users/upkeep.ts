/** Ends the time for which the law obliges us to keep data of erased users. */
import { recordChange } from '../changes/service.js';
import type { MerchantId } from '../ids.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Agenda } from '../worker/agenda.js';
import { doOneByOne } from '../worker/one-by-one.js';
import type { Job } from '../worker/worker.js';
import { deleteUserKeys } from './key-store.js';
import * as upkeep from './upkeep-store.js';
import type { RetentionEnded } from './user.js';

const batchSize = 200;

export interface RetentionOptions {
  readonly database: Database;
  readonly retentionEnded: RetentionEnded;
  readonly log: Log;
}

export function retentionJob(database: Database, retentionEnded: RetentionEnded, log: Log): Job {
  return {
    name: 'users.end-retention',
    everySeconds: 3600,
    run: (signal) => endRetentions({ database, retentionEnded, log }, signal),
  };
}

/** What erased users do by a merchant's clock: the time for which the law wants their data ends. */
export function retentionAgenda(options: RetentionOptions): Agenda {
  const { database } = options;
  return {
    nextDue: (merchantId, after) => upkeep.nextDueRetention(database, merchantId, after),
    hasDue: (merchantId) => upkeep.hasDueRetention(database, merchantId),
    runDue: (merchantId, signal) => endRetentions(options, signal, merchantId),
  };
}

function endRetentions(
  { database, retentionEnded, log }: RetentionOptions,
  signal: AbortSignal,
  merchantId?: MerchantId,
): Promise<number> {
  const items = {
    next: (failed: readonly upkeep.DueRetention[]) => upkeep.listDueRetentions(database, failed, batchSize, merchantId),
    work: (due: upkeep.DueRetention) => endRetention(database, due, retentionEnded),
    onFailure: ({ userId: user }: upkeep.DueRetention, err: unknown) =>
      log.error({ userId: Number(user), err }, 'the retention of a user could not be ended'),
  };
  return doOneByOne(items, signal);
}

function endRetention(database: Database, due: upkeep.DueRetention, retentionEnded: RetentionEnded): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await upkeep.endDueRetention(tx, due))) return false;
    const { merchantId, userId } = due;
    await deleteUserKeys(tx, due, ['retained']);
    await retentionEnded(tx, merchantId, userId);
    await recordChange(
      tx,
      { actor: { kind: 'system', name: 'retention' } },
      { merchantId, action: 'user.retention_ended', subject: `user:${userId}` },
    );
    return true;
  });
}
