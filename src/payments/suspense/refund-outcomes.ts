/** What the room that pays money back tells about a refund of money in suspense: paid, refused, or bounced. */
import type { By } from '../../caller.js';
import { storedPublicId, type TenantId } from '../../ids.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, subtract } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import { type ChangeOptions, changeSuspense } from './changes.js';
import type { SuspenseRecord } from './suspense.js';
import { lockSuspense } from './suspense-store.js';

/** The record in the words of that room. */
interface RefundedRef {
  readonly ownerId: TenantId;
  readonly suspenseId: string;
}

export class RefundOutcomes {
  readonly #options: ChangeOptions;

  constructor(options: ChangeOptions) {
    this.#options = options;
  }

  /** The payer has the money back. */
  async settleRefund(
    tx: Transaction,
    by: By,
    ref: RefundedRef,
    { bank, amount: moved }: { readonly bank: string; readonly amount: Amount },
  ): Promise<void> {
    const record = await lock(tx, ref);
    const remaining = subtract(record.remaining, moved);
    const journals = [postings.refunded(record.suspenseId, bank, moved)];
    await this.#change(tx, record, { by, event: 'settle_refund', moved, remaining, journals });
  }

  /** The payer's bank refused a refund that was not debited. */
  async failRefund(tx: Transaction, by: By, ref: RefundedRef): Promise<void> {
    const record = await lock(tx, ref);
    const { remaining } = record;
    await this.#change(tx, record, { by, event: 'fail_refund', moved: remaining, remaining, journals: [] });
  }

  /** A refund that was paid bounced, and the money is on our account again. */
  async returnRefund(
    tx: Transaction,
    by: By,
    ref: RefundedRef,
    returned: { readonly movement: string; readonly bank: string; readonly amount: Amount },
  ): Promise<void> {
    const record = await lock(tx, ref);
    const { movement, bank, amount: moved } = returned;
    const journals = [
      postings.movementIn(movement, bank, moved),
      postings.refundReturned(movement, record.suspenseId, moved),
    ];
    await this.#change(tx, record, { by, event: 'fail_refund', moved, remaining: moved, journals });
  }

  #change(tx: Transaction, record: SuspenseRecord, change: Parameters<typeof changeSuspense>[3]) {
    return changeSuspense(this.#options, tx, record, change);
  }
}

async function lock(tx: Transaction, { ownerId, suspenseId }: RefundedRef): Promise<SuspenseRecord> {
  const record = await lockSuspense(tx, { ownerId, suspenseId: storedPublicId('sus', suspenseId) });
  if (!record) throw new Error(`the suspense record ${suspenseId} is gone`);
  return record;
}
