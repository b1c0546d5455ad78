/** The payer's bank took back money that is or was in suspense. */
import type { By } from '../../caller.js';
import type { PreparedJournal } from '../../ledger/journal.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, amount, compare } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Payment } from '../payment.js';
import type { SuspenseRefunds } from '../ports.js';
import { type ChangeOptions, changeSuspense, requireAllowed } from '../suspense/changes.js';
import { withdrawRefund } from '../suspense/exits/withdrawal.js';
import { suspenseChanged } from '../suspense/refusals.js';
import type { SuspenseRecord } from '../suspense/suspense.js';
import { lockSuspense } from '../suspense/suspense-store.js';
import { placeOfMoney } from '../suspense/transitions.js';
import { type BankClawback, notReversible } from './correction.js';
import { addReversal } from './reversal-store.js';

export interface ClawbackOptions extends ChangeOptions {
  readonly refunds: Pick<SuspenseRefunds, 'withdraw'>;
}

interface Origin {
  readonly payment: Payment;
  readonly record: SuspenseRecord;
}

/**
 * A payment that is in suspense as a whole. Throws `suspense_changed`, `suspense_transition_not_allowed`, and
 * `payment_not_reversible` when a part of it has gone elsewhere.
 */
export async function clawBackSuspense(
  changes: ClawbackOptions,
  tx: Transaction,
  by: By,
  { payment, record: found, clawback }: Origin & { readonly clawback: BankClawback },
): Promise<void> {
  const record = await lock(tx, found);
  if (record.version !== clawback.version) throw suspenseChanged(record);
  requireAllowed(record, 'claw_back');
  if (compare(record.remaining, payment.amount) !== 0) throw notReversible('A part of it has gone elsewhere.');
  await takeFromRecord(changes, tx, by, { payment, record, note: clawback.note });
  const { ownerId, paymentId, remaining } = record;
  await addReversal(tx, {
    ownerId,
    paymentId,
    kind: 'clawback',
    orderId: undefined,
    amount: remaining,
    lost: undefined,
    booking: clawback,
  });
}

/**
 * The part of a payment that its order does not have: an excess, or what a match left. What was written off before is
 * taken from there. Returns the journals that no change names yet. Throws `payment_not_reversible` once it went back to
 * the payer: the refund may still bounce, and `suspense_transition_not_allowed` while a bank may be paying it back.
 */
export async function clawBackRest(
  changes: ClawbackOptions,
  tx: Transaction,
  by: By,
  { payment, record: found, rest, note }: Origin & { readonly rest: Amount; readonly note: string },
): Promise<readonly PreparedJournal[]> {
  const record = await lock(tx, found);
  const { ownerId, suspenseId, paymentId, remaining, state } = record;
  if (state === 'RETURNED') throw notReversible('A part of it went back to the payer.');
  if (placeOfMoney(state) !== undefined) {
    if (compare(remaining, rest) !== 0) throw notReversible('Several orders have parts of it.');
    await takeFromRecord(changes, tx, by, { payment, record, note });
    return [];
  }
  if (state !== 'WRITTEN_OFF') throw notReversible('A part of it has gone elsewhere.');
  const occurredAt = await readMerchantClock(tx, ownerId);
  const bank = payment.accountId;
  const taken = postings.clawback(paymentId, suspenseId, 'writeoff', { taken: rest, bank });
  return [await changes.ledger.post(tx, ownerId, { ...taken, occurredAt })];
}

async function takeFromRecord(
  changes: ClawbackOptions,
  tx: Transaction,
  by: By,
  { payment, record, note }: Origin & { readonly note: string },
): Promise<void> {
  await withdrawRefund(changes.refunds, tx, record);
  const { suspenseId, paymentId, remaining: taken, state } = record;
  const place = placeOfMoney(state);
  if (!place) throw new Error(`the record ${suspenseId} has no money`);
  await changeSuspense(changes, tx, record, {
    by,
    event: 'claw_back',
    moved: taken,
    remaining: amount(taken.currency, 0n),
    note,
    journals: [postings.clawback(paymentId, suspenseId, place, { taken, bank: payment.accountId })],
  });
}

async function lock(tx: Transaction, found: SuspenseRecord): Promise<SuspenseRecord> {
  const record = await lockSuspense(tx, found);
  if (!record) throw new Error(`the suspense record ${found.suspenseId} is gone`);
  return record;
}
