/** Finds the key that an attempt's content and reports are sealed under. */
import { deriveKey } from '../keys/derive.js';
import type { Queryable } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import type { Attempt } from './attempt.js';

export class AttemptKeys {
  /** For money in suspense, which has no user: we must be able to return it whoever is erased. */
  readonly ofSuspense: Buffer;

  constructor(
    readonly users: UserService,
    rootKey: Buffer,
  ) {
    this.ofSuspense = deriveKey(rootKey, 'payouts of suspense');
  }

  /** Undefined after the user's retained key was destroyed. */
  async of(database: Queryable, attempt: Attempt): Promise<Buffer | undefined> {
    if (attempt.orderId === undefined) return this.ofSuspense;
    return this.users.retainedKey(database, attempt.merchantId, attempt.userId);
  }
}
