/** Builds the approvals room. `app.ts` hands it to the command runner, and the pending requests to the other rooms. */

import { StoredCommands } from '../http/commands/stored-command.js';
import type { Route } from '../http/route.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import { approvalGauges } from './gauges.js';
import { endOverdueJob } from './jobs.js';
import { listApprovalTasks } from './listing-store.js';
import { approvalRoutes } from './routes.js';
import { ApprovalSeals } from './sealed.js';
import { ApprovalService } from './service.js';
import { type FourEyesSetting, recordSetting } from './setting.js';

export interface ApprovalRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly log: Log;
  readonly settings: { readonly fourEyes: FourEyesSetting; readonly approvalHours: number };
  /** The routes of all rooms, once they are built: approved commands are run by them. */
  readonly routes: () => readonly Route[];
}

/** Of a caller that is not calling: the operator who asked, while the job looks again. */
const noToken = { tokenId: '', expiresAt: 0 };

/** Also records in the audit log when the setting has changed since the last start. */
export async function approvalRoom(options: ApprovalRoomOptions) {
  const { database, rootKey, log, settings, routes } = options;
  const { fourEyes, approvalHours: lifetimeHours } = settings;
  await recordSetting(database, fourEyes);
  const commands = new StoredCommands(routes);
  const approvals = new ApprovalService({
    demanded: fourEyes.actions,
    lifetimeHours,
    seals: new ApprovalSeals(rootKey),
    roleFor: (operationId) => commands.roleFor(operationId),
    async review(tx, payload, { requester, approvalId }) {
      const caller = { ...requester, token: noToken };
      const approval = { approvalId, requestedBy: requester.operatorId };
      return commands.restore(payload, { caller, requestId: '', address: '', approval })?.review(tx);
    },
  });
  return {
    service: approvals,
    findPending: approvals.pendingOn.bind(approvals),
    forget: approvals.closing.forget.bind(approvals.closing),
    routes: approvalRoutes({ database, approvals, commands }),
    jobs: [endOverdueJob(database, approvals.closing, log)],
    gauges: approvalGauges(database),
    taskSources: [{ kind: 'approval', list: listApprovalTasks }] satisfies TaskSource[],
  };
}
