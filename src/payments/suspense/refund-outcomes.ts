/** What the room that pays money back tells about a refund of money in suspense: paid, refused, bounced, or proved. */
import type { By } from '../../caller.js';
import { storedPublicId, type TenantId } from '../../ids.js';
import type { JournalContent } from '../../ledger/journal.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, isZero, subtract } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { SuspenseRefunds } from '../ports.js';
import { type ChangeOptions, changeSuspense, requireAllowed } from './changes.js';
import { withdrawRefund } from './exits/withdrawal.js';
import { listSteps } from './history.js';
import type { SuspenseRecord } from './suspense.js';
import { lockSuspense } from './suspense-store.js';
import type { SuspenseEvent } from './transitions.js';

/** The record in the words of that room. */
interface RefundedRef {
  readonly ownerId: TenantId;
  readonly suspenseId: string;
}

/** What shows that the payer has money back. */
interface RefundProof {
  readonly bank: string;
  readonly amount: Amount;
  readonly note: string;
}

/** The events by which the payer has the money. */
const paying: readonly SuspenseEvent[] = ['settle_refund', 'prove_refund'];

export interface RefundOutcomeOptions extends ChangeOptions {
  readonly refunds: Pick<SuspenseRefunds, 'withdraw'>;
}

export class RefundOutcomes {
  readonly #options: RefundOutcomeOptions;

  constructor(options: RefundOutcomeOptions) {
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
    // What was paid beyond what the record had was a loss, which is recovered.
    const paid = (await listSteps(tx, record)).findLast(({ event }) => paying.includes(event))?.amount ?? moved;
    const remaining = paid.minor < moved.minor ? paid : moved;
    const journals = [
      postings.movementIn(movement, bank, moved),
      postings.refundReturned(movement, record.suspenseId, moved, subtract(moved, remaining)),
    ];
    await this.#change(tx, record, { by, event: 'fail_refund', moved, remaining, journals });
  }

  /**
   * The payer has the money of a refund that was withdrawn, refused or thought to have come back, also of a record that
   * is frozen. The next refund is withdrawn, if nobody was instructed to pay it; what was paid beyond what is left is a
   * loss. Throws `suspense_transition_not_allowed`.
   */
  async proveRefund(
    tx: Transaction,
    by: By,
    ref: RefundedRef,
    { bank, amount: paid, note }: RefundProof,
  ): Promise<void> {
    const record = await lock(tx, ref);
    requireAllowed(record, 'prove_refund');
    await withdrawRefund(this.#options.refunds, tx, record);
    const { suspenseId, remaining: held } = record;
    const settled = held.minor < paid.minor ? held : paid;
    const lost = subtract(paid, settled);
    await this.#change(tx, record, {
      by,
      event: 'prove_refund',
      moved: settled,
      remaining: subtract(held, settled),
      note,
      journals: [
        ...broughtToRefund(record),
        postings.refunded(suspenseId, bank, settled),
        ...(isZero(lost) ? [] : [postings.refundOverpaid(suspenseId, bank, lost)]),
      ],
    });
  }

  /**
   * The payer has the money although nothing of the record was left: the loss is ours. Throws
   * `suspense_transition_not_allowed`.
   */
  async recordOverpaid(
    tx: Transaction,
    by: By,
    ref: RefundedRef,
    { bank, amount: paid, note }: RefundProof,
  ): Promise<void> {
    const record = await lock(tx, ref);
    const journals = [postings.refundOverpaid(record.suspenseId, bank, paid)];
    const { remaining } = record;
    await this.#change(tx, record, { by, event: 'record_overpaid', moved: paid, remaining, note, journals });
  }

  #change(tx: Transaction, record: SuspenseRecord, change: Parameters<typeof changeSuspense>[3]) {
    return changeSuspense(this.#options, tx, record, change);
  }
}

/** Brings the money to where refunds are paid from. */
function broughtToRefund({ state, suspenseId, remaining }: SuspenseRecord): JournalContent[] {
  const released = state === 'FROZEN' ? [postings.suspenseReleased(suspenseId, remaining)] : [];
  const isDue = state === 'REFUND_PENDING' || state === 'REFUND_FAILED';
  return isDue ? [] : [...released, postings.suspenseRefundDue(suspenseId, remaining)];
}

async function lock(tx: Transaction, { ownerId, suspenseId }: RefundedRef): Promise<SuspenseRecord> {
  const record = await lockSuspense(tx, { ownerId, suspenseId: storedPublicId('sus', suspenseId) });
  if (!record) throw new Error(`the suspense record ${suspenseId} is gone`);
  return record;
}
