/** A payment that has waited since it was decided passes the gate again before it leaves. */

import type { ExitVerdict } from '../../orders/order/ports.js';
import type { Database } from '../../postgres/database.js';
import type { Attempt } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import type { PayoutRecheck, RefundExits } from '../ports.js';
import { recipientOf } from '../refunds/recipient.js';

export interface ExitCheckOptions {
  readonly database: Database;
  readonly keys: AttemptKeys;
  /** For payouts. */
  readonly recheck: PayoutRecheck;
  /** For refunds. */
  readonly exits: RefundExits;
}

export class ExitChecks {
  readonly #options: ExitCheckOptions;

  constructor(options: ExitCheckOptions) {
    this.#options = options;
  }

  /** Attempts of one merchant, or of one owner of suspense. What is withdrawn gets another version, and is not sent. */
  async verdictsOf(attempts: readonly Attempt[]): Promise<ReadonlyMap<Attempt, ExitVerdict>> {
    const payouts = attempts.flatMap((attempt) =>
      attempt.orderId !== undefined && attempt.direction === 'payout' ? [{ attempt, orderId: attempt.orderId }] : [],
    );
    const verdicts = new Map<Attempt, ExitVerdict>();
    const [first] = payouts;
    if (first) {
      const orderIds = payouts.map(({ orderId }) => orderId);
      const checked = await this.#options.recheck(first.attempt.merchantId, orderIds);
      for (const { attempt, orderId } of payouts) verdicts.set(attempt, checked.get(orderId) ?? 'pass');
    }
    for (const attempt of attempts)
      if (attempt.direction === 'refund') verdicts.set(attempt, await this.#ofRefund(attempt));
    return verdicts;
  }

  #ofRefund(attempt: Attempt): Promise<ExitVerdict> {
    const { database, keys, exits } = this.#options;
    return database.transaction(async (tx) => {
      const recipient = await recipientOf(tx, keys, attempt);
      return attempt.orderId === undefined
        ? exits.ofSuspense(tx, { ownerId: attempt.merchantId, suspenseId: attempt.suspenseId }, recipient)
        : exits.ofOrder(tx, attempt, recipient);
    });
  }
}
