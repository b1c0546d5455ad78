/** Acts without a second operator, for whoever has the keys of the instance; the audit log records it. */
import type { ApprovalAction } from '../approval.js';
import { recordBypass } from '../approvals/setting.js';
import type { SubjectRef } from '../changes/change.js';
import type { Transaction } from '../postgres/statement.js';
import { commandLine, say } from './command.js';

export async function bypassApproval(tx: Transaction, action: ApprovalAction, about: SubjectRef): Promise<void> {
  if (await recordBypass(tx, { actor: commandLine }, action, about))
    say('The service demands a second operator for this. The audit log records that you acted alone.');
}
