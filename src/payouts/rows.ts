/** The attempts of a merchant: opening one, and their comparison with what their changes remember. */
import type { By } from '../caller.js';
import type { RowSource } from '../changes/row.js';
import { recordChange } from '../changes/service.js';
import { storedPublicId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';
import { digestedAttempt, attemptSubjectPrefix as prefix } from './attempt.js';
import { addAttempt, listAttemptIdsAfter, listAttemptsByIds, type NewAttempt } from './store.js';

/** The order or the suspense record has who asked for it. */
const byPayouts: By = { actor: { kind: 'system', name: 'payouts' } };

/** Throws the database's error on a unique index when the order or record has an attempt that is not dead. */
export async function openAttempt(tx: Transaction, attempt: NewAttempt): Promise<void> {
  const { merchantId, direction } = attempt;
  await Promise.all([
    addAttempt(tx, attempt),
    recordChange(tx, byPayouts, {
      ...digestedAttempt(attempt),
      merchantId,
      action: 'payout.opened',
      details: { direction },
      version: 1,
    }),
  ]);
}

export const attemptRows: RowSource = {
  prefix,
  async list(database, merchantId, after, limit) {
    const ids = await listAttemptIdsAfter(database, merchantId, after.slice(prefix.length), limit);
    return ids.map((id) => `${prefix}${id}`);
  },
  async find(database, merchantId, subjects) {
    const ids = subjects.map((subject) => storedPublicId('att', subject.slice(prefix.length)));
    return (await listAttemptsByIds(database, merchantId, ids)).map(digestedAttempt);
  },
};
