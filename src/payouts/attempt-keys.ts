/** Finds the key that an attempt's content and reports are sealed under. */
import { deriveKey } from '../keys/derive.js';
import type { Queryable } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import type { Attempt, AttemptId, OrderAttempt } from './attempt.js';

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

  /** The keys of these attempts of one merchant. Those that were destroyed are left out. */
  async list(database: Queryable, attempts: readonly Attempt[]): Promise<ReadonlyMap<AttemptId, Buffer>> {
    const ofOrders = attempts.filter((attempt) => attempt.orderId !== undefined);
    const [first] = ofOrders;
    const userIds = [...new Set(ofOrders.map(({ userId }) => userId))];
    const users = first ? await this.users.list(database, first.merchantId, userIds) : new Map();
    const keyOf = ({ userId }: OrderAttempt) => {
      const user = users.get(userId);
      return user && this.users.openKey(user);
    };
    return new Map(
      attempts.flatMap((attempt) => {
        const key = attempt.orderId === undefined ? this.ofSuspense : keyOf(attempt);
        return key ? [[attempt.attemptId, key] as const] : [];
      }),
    );
  }
}
