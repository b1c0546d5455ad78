/**
 * Ends the time for which the law obliges us to keep data of erased users, and erases again whom a restore brought
 * back.
 */
import { recordChange } from '../changes/service.js';
import type { MerchantId } from '../ids.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Agenda } from '../worker/agenda.js';
import { forEachDue } from '../worker/for-each-due.js';
import type { Job } from '../worker/worker.js';
import { deleteUserKeys } from './key-store.js';
import type { UserService } from './service.js';
import * as upkeep from './upkeep-store.js';
import type { Dependents } from './user.js';
import type { KeyOwner } from './user-keys.js';

const batchSize = 200;

export interface RetentionOptions {
  readonly database: Database;
  readonly users: { readonly dependents: Pick<Dependents, 'retentionEnded'> };
  readonly log: Log;
}

export function retentionJob(options: RetentionOptions): Job {
  return {
    name: 'users.end-retention',
    everySeconds: 3600,
    run: (signal) => endRetentions(options, signal),
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
  { database, users, log }: RetentionOptions,
  signal: AbortSignal,
  merchantId?: MerchantId,
): Promise<number> {
  const items = {
    next: (failed: readonly upkeep.DueRetention[]) => upkeep.listDueRetentions(database, failed, batchSize, merchantId),
    work: (due: upkeep.DueRetention) => endRetention(database, due, users.dependents),
    onFailure: ({ userId: user }: upkeep.DueRetention, err: unknown) =>
      log.error({ userId: Number(user), err }, 'the retention of a user could not be ended'),
  };
  return forEachDue(items, signal);
}

function endRetention(
  database: Database,
  due: upkeep.DueRetention,
  dependents: Pick<Dependents, 'retentionEnded'>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await upkeep.endDueRetention(tx, due))) return false;
    const { merchantId, userId } = due;
    await deleteUserKeys(tx, due, ['retained']);
    await dependents.retentionEnded(tx, merchantId, userId);
    await recordChange(
      tx,
      { actor: { kind: 'system', name: 'retention' } },
      { merchantId, action: 'user.retention_ended', subject: `user:${userId}` },
    );
    return true;
  });
}

export interface EraseAgainOptions {
  readonly database: Database;
  readonly users: Pick<UserService, 'eraseAgain'>;
  readonly log: Log;
}

/** Erases users whom a restored backup has brought back. One with open orders waits for them. */
export function eraseAgainJob({ database, users, log }: EraseAgainOptions): Job {
  const by = { actor: { kind: 'system', name: 'restore' } } as const;
  const items = {
    next: (failed: readonly KeyOwner[]) => upkeep.listRestoredErasures(database, failed, batchSize),
    work: (owner: KeyOwner) =>
      database.transaction(async (tx) => {
        if (!(await upkeep.takeRestoredErasure(tx, owner))) return false;
        await users.eraseAgain(tx, by, owner);
        return true;
      }),
    onFailure: ({ userId: user }: KeyOwner, err: unknown) =>
      log.error({ userId: Number(user), err }, 'a restored user could not be erased again'),
  };
  return { name: 'users.erase-again', everySeconds: 300, run: (signal) => forEachDue(items, signal) };
}
