/** The job that ends requests which expired, or whose operator may not ask any more. */
import { endApprovalsJob } from '../approval.js';
import { operatorRoles } from '../caller.js';
import type { Log } from '../log.js';
import { listOperators } from '../operators/service.js';
import type { Database } from '../postgres/database.js';
import { forEachDue } from '../worker/for-each-due.js';
import type { Job } from '../worker/worker.js';
import type { ApprovalRef } from './approval.js';
import { listRequestsMaybeOver } from './listing-store.js';
import type { ApprovalService } from './service.js';

const batchSize = 100;

export function endOverdueJob(database: Database, approvals: ApprovalService, log: Log): Job {
  return {
    name: endApprovalsJob,
    everySeconds: 60,
    async run(signal) {
      const operators = (await listOperators(database))
        .filter(({ role, disabledAt }) => disabledAt !== undefined || role !== operatorRoles.at(-1))
        .map(({ operatorId }) => operatorId);
      const items = {
        next: (skipped: readonly ApprovalRef[]) => listRequestsMaybeOver(database, operators, skipped, batchSize),
        work: (request: ApprovalRef) => database.transaction((tx) => approvals.endIfOver(tx, request)),
        onFailure: ({ approvalId }: ApprovalRef, err: unknown) =>
          log.error({ approvalId, err }, 'request for approval cannot be ended'),
      };
      return forEachDue(items, signal);
    },
  };
}
