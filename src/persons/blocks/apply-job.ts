/**
 * Freezes the orders and the money in suspense that are there when somebody is blocked, merchant by merchant. Nothing
 * leaves meanwhile: every exit asks the block list itself.
 */
import type { By } from '../../caller.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable, isLockTimeout } from '../../postgres/failure.js';
import type { Transaction } from '../../postgres/statement.js';
import { forEachDue } from '../../worker/for-each-due.js';
import type { Job } from '../../worker/worker.js';
import type { Account } from '../service.js';
import { applyBlocksJob, type BlockService } from './service.js';
import { listBlocksToApply, type StoredBlock, saveApplied } from './store.js';

/** The rooms that have money of a user; `app.ts` registers them. */
export interface MoneyOfUsers {
  /** Nothing of the user's money moves from now on. Writes rows of this merchant only; twice is as once. */
  freeze(tx: Transaction, by: By, account: Account, note: string): Promise<void>;
}

export interface ApplyOptions {
  readonly database: Database;
  readonly blocks: BlockService;
  readonly money: () => MoneyOfUsers;
  readonly log: Log;
}

export function applyJob(options: ApplyOptions): Job {
  const { database, log } = options;
  const items = {
    next: (passedOver: readonly StoredBlock[]) => listBlocksToApply(database, passedOver),
    work: (block: StoredBlock) => apply(options, block),
    onFailure: ({ blockId }: StoredBlock, err: unknown) => log.error({ blockId, err }, 'a block could not be applied'),
  };
  return { name: applyBlocksJob, everySeconds: 60, run: (signal) => forEachDue(items, signal) };
}

/**
 * Each user in a transaction of its own. One that fails stops no other; the block is applied once none fails. What
 * failed, or a crash left behind, is done when the job runs again.
 */
async function apply({ database, blocks, money, log }: ApplyOptions, block: StoredBlock): Promise<boolean> {
  const by: By = { actor: { kind: 'operator', operatorId: block.blockedBy, role: 'reviewer' } };
  const { blockId } = block;
  let hasFailed = false;
  for (const account of await blocks.accountsOf(database, block)) {
    try {
      await database.transaction((tx) => money().freeze(tx, by, account, blocks.reasonOf(block)));
    } catch (err) {
      if (isDatabaseUnavailable(err) && !isLockTimeout(err)) throw err;
      hasFailed = true;
      log.error({ blockId, ...account, err }, 'what a blocked user has could not be frozen');
    }
  }
  if (!hasFailed) await saveApplied(database, block);
  return !hasFailed;
}
