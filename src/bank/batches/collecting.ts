/** Puts payments that wait into batches, one for each account, and closes those whose time has come. */
import type { Clock } from '../../clock.js';
import { instanceTenant, newMerchantPublicId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { doEach } from '../../worker/claim.js';
import type { BankAccount } from '../accounts/bank-account.js';
import { listBankAccounts } from '../accounts/bank-account-store.js';
import { type BatchId, closingTime, isFull, payingAccount } from './batch.js';
import { byBank, lockInState, mayLeaveAlone, moveBatch, raiseBatch, recordNewBatch } from './changing.js';
import { problemOf, profileOf } from './message.js';
import { addBatchPayment } from './payment-store.js';
import { type BatchedPayments, releaseJob, type WaitingPayment } from './ports.js';
import { addBatch, listBatchesToClose, lockBatch, lockCollectingBatch, type StoredBatch } from './store.js';
import { addUnfit, forgetUnfit } from './unfit-store.js';

export interface CollectingOptions {
  readonly database: Database;
  readonly payments: BatchedPayments;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether files of this account have somewhere to go. */
  readonly hasConnection: (accountId: string) => boolean;
}

/** A payment that fits no batch is tried again. One that joined is looked at, in case it has left its batch. */
const tryAgainSeconds = 3_600;
const lookAgainSeconds = 86_400;

export class Collecting {
  readonly #options: CollectingOptions;

  constructor(options: CollectingOptions) {
    this.#options = options;
  }

  /** Returns how many payments there were. What fails for one account, or payment, stops no other. */
  async collect(): Promise<number> {
    const { database, payments } = this.#options;
    const waiting = await payments.claimWaiting();
    if (waiting.length === 0) return 0;
    const accounts = await listBankAccounts(database);
    const byAccount = new Map<BankAccount, WaitingPayment[]>();
    const refused: { readonly payment: WaitingPayment; readonly problem: string }[] = [];
    for (const payment of waiting) {
      const account = this.#accountFor(accounts, payment);
      if (typeof account === 'string') refused.push({ payment, problem: account });
      else byAccount.set(account, [...(byAccount.get(account) ?? []), payment]);
    }
    for (const done of await doEach(refused, ({ payment, problem }) => this.#refuse(payment, problem)))
      if ('error' in done) this.#failed({ attemptId: done.row.payment.attemptId }, done.error);
    for (const done of await doEach([...byAccount], ([account, joining]) => this.#join(account, joining)))
      if ('error' in done) this.#failed({ accountId: done.row[0].accountId }, done.error);
    return waiting.length;
  }

  /** Closes batches before the bank does. One within the sum of its account is released as well. */
  async closeDue(): Promise<number> {
    const { database } = this.#options;
    const due = await listBatchesToClose(database);
    const closed = await doEach(due, ({ batchId }) =>
      database.transaction(async (tx) => {
        const batch = await lockInState(tx, batchId, 'COLLECTING');
        if (batch) await closeBatch(tx, batch);
      }),
    );
    for (const done of closed) if ('error' in done) this.#failed({ batchId: done.row.batchId }, done.error);
    return closed.filter((done) => 'result' in done).length;
  }

  #failed(about: Readonly<Record<string, string>>, err: unknown): void {
    this.#options.log.error({ ...about, err }, 'payments could not be collected');
  }

  /** Returns the problem in words where no account can pay. */
  #accountFor(accounts: readonly BankAccount[], payment: WaitingPayment): BankAccount | string {
    const { merchantId, amount, bank, order } = payment;
    if (!order) return 'it has no account that a bank can pay to';
    const account = payingAccount(accounts, { merchantId, currency: amount.currency, bank });
    if (!account) return `no bank account pays out ${amount.currency}${bank === undefined ? '' : ` from ${bank}`}`;
    if (!this.#options.hasConnection(account.accountId))
      return `BANK_CONNECTIONS has no entry for the account ${account.accountId}`;
    return problemOf(account, newBatchId(), order) ?? account;
  }

  async #refuse(payment: WaitingPayment, problem: string): Promise<void> {
    const { database, payments } = this.#options;
    await database.transaction((tx) => addUnfit(tx, payment, problem));
    await payments.lookAgainIn(payment, tryAgainSeconds);
  }

  async #join(account: BankAccount, joining: readonly WaitingPayment[]): Promise<void> {
    const { database, payments, clock } = this.#options;
    const profile = profileOf(account);
    let rest = [...joining];
    while (rest.length > 0) {
      const joined = await database.transaction(async (tx) => {
        const batch = await collectingBatch(tx, account, clock.now());
        const added: WaitingPayment[] = [];
        let count = batch.payments;
        for (const payment of rest) {
          if (isFull(profile, count)) break;
          if (await addBatchPayment(tx, batch.batchId, payment)) count += 1;
          await forgetUnfit(tx, payment.attemptId);
          added.push(payment);
        }
        const details = { payments: count };
        const after = await raiseBatch(tx, byBank, batch, { action: 'bank_batch.joined', details });
        if (isFull(profile, count)) await closeBatch(tx, after);
        return added;
      });
      for (const payment of joined) await payments.lookAgainIn(payment, lookAgainSeconds);
      rest = rest.slice(joined.length);
    }
  }
}

/** The one that collects for the account, locked, or a new one. */
async function collectingBatch(tx: Transaction, account: BankAccount, now: Date): Promise<StoredBatch> {
  const { accountId, currency } = account;
  const found = await lockCollectingBatch(tx, accountId);
  if (found) return found;
  const batchId = newBatchId();
  const isNew = await addBatch(tx, { batchId, accountId, currency, closesAt: closingTime(profileOf(account), now) });
  const batch = isNew ? await lockBatch(tx, batchId) : await lockCollectingBatch(tx, accountId);
  if (!batch) throw new Error(`no batch collects for ${accountId}`);
  if (isNew) await recordNewBatch(tx, batch);
  return batch;
}

/** The caller has locked the batch, which collects. */
export async function closeBatch(tx: Transaction, batch: StoredBatch): Promise<StoredBatch> {
  const closed = await moveBatch(tx, byBank, batch, 'close');
  if (!(await mayLeaveAlone(tx, closed))) return closed;
  tx.wake(releaseJob);
  return moveBatch(tx, byBank, closed, 'release');
}

function newBatchId(): BatchId {
  return newMerchantPublicId('bat', instanceTenant);
}
