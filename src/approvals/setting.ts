/** Records in the audit log when the setting of four eyes was changed, and when the command line went round it. */
import type { ApprovalAction } from '../approval.js';
import type { By } from '../caller.js';
import type { SubjectRef } from '../changes/change.js';
import { recordChange } from '../changes/service.js';
import { instanceTenant } from '../ids.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import { findLastSetting, lockLastSetting, saveSetting } from './setting-store.js';

export interface FourEyesSetting {
  readonly actions: ReadonlySet<ApprovalAction>;
  /** What the mode of the instance has when nobody sets anything. A first start with it is no change. */
  readonly usual: ReadonlySet<ApprovalAction>;
}

/** Records a change since the last start. */
export function recordSetting(database: Database, { actions, usual }: FourEyesSetting): Promise<void> {
  return database.transaction(async (tx) => {
    const now = [...actions].sort();
    const before = await lockLastSetting(tx, [...usual].sort());
    if (before.join() === now.join()) return;
    await saveSetting(tx, now);
    await recordChange(
      tx,
      { actor: { kind: 'system', name: 'start' } },
      {
        merchantId: instanceTenant,
        action: now.length === 0 ? 'four_eyes.switched_off' : 'four_eyes.changed',
        subject: 'setting:FOUR_EYES',
        details: { before, now },
      },
    );
  });
}

/**
 * The command line acts without a second person, for whoever has the keys of the instance and nobody to ask. Records
 * that if the service would have demanded one. Returns whether it did.
 */
export async function recordBypass(
  tx: Transaction,
  by: By,
  action: ApprovalAction,
  { merchantId, subject }: SubjectRef,
): Promise<boolean> {
  if (!(await findLastSetting(tx)).includes(action)) return false;
  await recordChange(tx, by, {
    merchantId,
    action: 'four_eyes.bypassed',
    subject,
    details: { action },
  });
  return true;
}
