/**
 * Takes a batch that was released to its bank: its payments are examined again, nobody can withdraw them any more, the
 * file is written and stored, and only then it leaves. Each step is committed by itself and may be repeated: a process
 * that dies between two of them changes nothing but the time.
 */

import { requireUntouched } from '../../changes/service.js';
import type { Clock } from '../../clock.js';
import { instanceTenant } from '../../ids.js';
import { executionDayFor } from '../../iso20022/bank-days.js';
import { writePaymentMessage } from '../../iso20022/write/payment-messages.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { doEach } from '../../worker/claim.js';
import type { BankAccount } from '../accounts/bank-account.js';
import { findBankAccount } from '../accounts/bank-account-store.js';
import { digestedBankAccount } from '../accounts/rows.js';
import { retryBatchDebit } from '../lines/reported-store.js';
import type { OutgoingFiles } from '../transport/outgoing.js';
import { type BatchId, type BatchPayment, messageIdOf, type PayingAccount } from './batch.js';
import { byBank, lockInState, moveBatch, requireUntouchedBatch } from './changing.js';
import { messageOf, payingAccountOf, problemOf, profileOf } from './message.js';
import { keepCheckedVersion, leaveBatch, listBatchPayments } from './payment-store.js';
import type { BatchedPayments, CheckedPayment } from './ports.js';
import { type ClaimedBatch, claimBatches, endBatchLease, findBatch, type StoredBatch } from './store.js';

export interface ReleasingOptions {
  readonly database: Database;
  readonly payments: BatchedPayments;
  readonly files: OutgoingFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** Longer than the payments of one batch take. */
const leaseSeconds = 120;

export class Releasing {
  readonly #options: ReleasingOptions;

  constructor(options: ReleasingOptions) {
    this.#options = options;
  }

  /** Returns how many batches there were. One that fails stops no other. */
  async run(): Promise<number> {
    const { database, log } = this.#options;
    const claimed = await claimBatches(database, leaseSeconds);
    for (const done of await doEach(claimed, (batch) => this.#advance(batch)))
      if ('error' in done) log.error({ batchId: done.row.batchId, err: done.error }, 'a batch could not go on');
    return claimed.length;
  }

  /** As far as it goes now. */
  async #advance(claimed: ClaimedBatch): Promise<void> {
    const { database } = this.#options;
    const { batchId } = claimed;
    let batch = await findBatch(database, batchId);
    if (batch?.state === 'RELEASED') {
      await this.#check(batch);
      batch = await findBatch(database, batchId);
      if (batch?.state === 'CHECKED') await this.#write(batch);
    } else if (batch?.state === 'CHECKED') {
      // Somebody died here: lists may have changed since.
      if (await this.#isStillPassing(batch)) await this.#write(batch);
    } else if (batch?.state === 'WRITTEN') await this.#tellSent(batch);
    await database.transaction((tx) => endBatchLease(tx, claimed));
  }

  /**
   * Those that must wait leave the batch for the next one; those that were withdrawn, or that the account cannot make
   * as it is now, leave it too. From here on, the file says of the account what was checked.
   */
  async #check(batch: StoredBatch): Promise<void> {
    const { database, payments } = this.#options;
    const members = await this.#membersOf(batch);
    const account = await findBankAccount(database, batch.accountId);
    const fitting = account?.uses.includes('payout') ? await this.#fitting(account, batch, members) : [];
    const checked = await payments.check(fitting);
    const leaving = new Map(checked.filter(({ mayLeave }) => mayLeave).map((payment) => [payment.attemptId, payment]));
    const staying = members.filter(({ attemptId }) => !leaving.has(attemptId));
    const isDone = await database.transaction(async (tx) => {
      const locked = await lockInState(tx, batch.batchId, 'RELEASED');
      if (!locked) return false;
      const { batchId } = locked;
      if (account) await requireUntouched(tx, instanceTenant, digestedBankAccount(account));
      await leaveBatch(tx, batchId, idsOf(staying));
      for (const payment of leaving.values()) await keepCheckedVersion(tx, batchId, payment);
      if (!account || leaving.size === 0) await moveBatch(tx, byBank, locked, 'empty');
      else await moveBatch(tx, byBank, locked, 'check', { paidFrom: payingAccountOf(account) });
      return true;
    });
    if (!isDone) return;
    for (const payment of staying) await payments.lookAgainIn(payment, 60);
  }

  /** The account may have been changed since they joined. */
  async #fitting(
    account: BankAccount,
    { batchId }: StoredBatch,
    members: readonly BatchPayment[],
  ): Promise<BatchPayment[]> {
    const orders = await this.#options.payments.ordersOf(members);
    return members.filter(({ attemptId }) => {
      const order = orders.get(attemptId);
      return order && problemOf(account, batchId, order) === undefined;
    });
  }

  /** What must wait now makes the whole batch wait: nothing was sent yet. */
  async #isStillPassing(batch: StoredBatch): Promise<boolean> {
    const checked: readonly CheckedPayment[] = await this.#options.payments.check(await this.#membersOf(batch));
    return checked.every(({ mayLeave }) => mayLeave);
  }

  /** From here on, a payment of the batch is either in its file or has been withdrawn before. */
  async #write(batch: StoredBatch): Promise<void> {
    const { database, payments, files, clock } = this.#options;
    const { batchId, accountId, releasedAt: createdAt, paidFrom } = batch;
    if (!paidFrom || !createdAt) throw new Error(`the batch ${batchId} was not checked`);
    // Nobody but a check says what the file is about: no payment is on its way before that is known.
    await database.transaction((tx) => requireUntouchedBatch(tx, batch));
    const message = { messageId: messageIdOf(batchId), createdAt };
    const sent: BatchPayment[] = [];
    const gone: BatchPayment[] = [];
    for (const payment of await this.#membersOf(batch)) {
      const { version } = payment;
      const isSent = version !== undefined && (await payments.send({ ...payment, version }, message));
      (isSent ? sent : gone).push(payment);
    }
    const content =
      sent.length === 0 ? undefined : await this.#contentOf(paidFrom, batchId, sent, { createdAt, now: clock.now() });
    await database.transaction(async (tx) => {
      const locked = await lockInState(tx, batchId, 'CHECKED');
      if (!locked) return;
      await requireUntouchedBatch(tx, locked);
      await leaveBatch(tx, batchId, idsOf(gone));
      if (!content) {
        await moveBatch(tx, byBank, locked, 'empty');
        return;
      }
      const { executionDay, bytes } = content;
      const name = `${accountId}.${message.messageId}.pain.001.xml`;
      const hash = await files.write(tx, { name, accountId, content: bytes });
      await moveBatch(tx, byBank, locked, 'write', { executionDay, file: { name, hash } });
    });
  }

  /** Throws when a payment cannot be opened: its user is erased only after its order has ended. */
  async #contentOf(
    account: PayingAccount,
    batchId: BatchId,
    sent: readonly BatchPayment[],
    { createdAt, now }: { readonly createdAt: Date; readonly now: Date },
  ): Promise<{ executionDay: string; bytes: Buffer }> {
    const orders = await this.#options.payments.ordersOf(sent);
    const written = sent.map(({ attemptId }) => {
      const order = orders.get(attemptId);
      if (!order) throw new Error(`the payment ${attemptId} cannot be read`);
      return order;
    });
    const executionDay = executionDayFor(now, profileOf(account).bankDays);
    const message = messageOf(account, batchId, { createdAt, executionDay }, written);
    return { executionDay, bytes: await writePaymentMessage(account.profile, message) };
  }

  /** The bank has the file. */
  async #tellSent(batch: StoredBatch): Promise<void> {
    const { database, payments } = this.#options;
    const { batchId, file } = batch;
    const members = await this.#membersOf(batch);
    const news = members.map(({ reference }) => ({
      reportId: `${messageIdOf(batchId)}.${reference}.sent`,
      reference,
      kind: 'accepted' as const,
      raw: JSON.stringify({ sentIn: file?.name }),
    }));
    if (!(await payments.tell(news))) return;
    await database.transaction(async (tx) => {
      const locked = await lockInState(tx, batchId, 'WRITTEN');
      if (!locked) return;
      await moveBatch(tx, byBank, locked, 'send');
      await retryBatchDebit(tx, batchId);
    });
  }

  async #membersOf(batch: StoredBatch): Promise<BatchPayment[]> {
    const all = await listBatchPayments(this.#options.database, batch);
    return all.filter(({ hasLeft }) => !hasLeft);
  }
}

function idsOf(payments: readonly BatchPayment[]): string[] {
  return payments.map(({ attemptId }) => attemptId);
}
