/**
 * The job that ends requests which expired, whose operator may not ask any more, or whose subject has changed; and that
 * removes what is not kept of old ones.
 */
import { endApprovalsJob } from '../approval.js';
import { operatorRoles } from '../caller.js';
import type { Log } from '../log.js';
import { listOperators } from '../operators/service.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import { forEachDue } from '../worker/for-each-due.js';
import type { Job } from '../worker/worker.js';
import type { ApprovalRef } from './approval.js';
import { type ApprovalClosing, keptDays } from './closing.js';
import { listLiveRequests, listRequestsMaybeOver, listRequestsToForget } from './listing-store.js';

const batchSize = 100;

export function endOverdueJob(database: Database, closing: ApprovalClosing, log: Log): Job {
  const items = (
    next: (skipped: readonly ApprovalRef[]) => Promise<readonly ApprovalRef[]>,
    work: (tx: Transaction, request: ApprovalRef) => Promise<boolean>,
  ) => ({
    next,
    work: (request: ApprovalRef) => database.transaction((tx) => work(tx, request)),
    onFailure: ({ approvalId }: ApprovalRef, err: unknown) =>
      log.error({ approvalId, err }, 'request for approval cannot be ended'),
  });
  return {
    name: endApprovalsJob,
    everySeconds: 60,
    async run(signal) {
      const operators = (await listOperators(database))
        .filter(({ role, disabledAt }) => disabledAt !== undefined || role !== operatorRoles.at(-1))
        .map(({ operatorId }) => operatorId);
      const over = items(
        (skipped) => listRequestsMaybeOver(database, operators, skipped, batchSize),
        (tx, request) => closing.endIfOver(tx, request),
      );
      const outdated = items(
        (skipped) => listLiveRequests(database, skipped, batchSize),
        (tx, request) => closing.endIfOutdated(tx, request),
      );
      const old = items(
        (skipped) => listRequestsToForget(database, keptDays, skipped, batchSize),
        (tx, request) => closing.forgetOld(tx, request),
      );
      let done = 0;
      for (const due of [over, outdated, old]) done += await forEachDue(due, signal);
      return done;
    },
  };
}
