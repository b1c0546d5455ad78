/** The verbs of recalls: ask the bank for a payment that has left, and take its answer. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import type { Clock } from '../../clock.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, newPublicId, publicId } from '../../ids.js';
import type { RecallMessage } from '../../iso20022/payment-message.js';
import type { ReportedRecallAnswer } from '../../iso20022/payment-status.js';
import { bankProfiles } from '../../iso20022/profiles.js';
import { writeRecall } from '../../iso20022/write/recalls.js';
import { amount } from '../../money/amount.js';
import { amountToText } from '../../money/literal.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { findBankAccount } from '../accounts/bank-account-store.js';
import type { AnswerService } from '../answers/service.js';
import { messageIdOf, paymentInformationIdOf } from '../batches/batch.js';
import { byBank, requireUntouchedBatch } from '../batches/changing.js';
import type { BatchedPayments } from '../batches/ports.js';
import { lockBatch } from '../batches/store.js';
import type { OutgoingFiles } from '../transport/outgoing.js';
import * as rules from './recall.js';
import * as store from './recall-store.js';

export interface RecallOptions {
  readonly payments: BatchedPayments;
  readonly files: OutgoingFiles;
  readonly answers: AnswerService;
  readonly clock: Clock;
}

export interface AskedRecall {
  readonly reason: rules.RecallReason;
  /** What the bank is told besides the reason. */
  readonly text: string | undefined;
}

export class RecallService {
  readonly #options: RecallOptions;

  constructor(options: RecallOptions) {
    this.#options = options;
  }

  /** The newest first. */
  list(database: Queryable, asked: Parameters<typeof store.listRecalls>[1]): Promise<rules.Recall[]> {
    return store.listRecalls(database, asked);
  }

  /** What the recall is about. Throws `bank_payment_not_recallable`. */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const { payment } = await sentPayment(tx, id);
    return { subject: `payout:${id}`, version: payment.batchId };
  }

  /**
   * Writes the message to the bank, which leaves next. Nothing changes before the bank has answered. Throws
   * `bank_payment_not_recallable`, `bank_recall_open` and `ledger_fault`.
   */
  async ask(tx: Transaction, by: By, id: string, { reason, text }: AskedRecall): Promise<rules.Recall> {
    const { payment, batch } = await sentPayment(tx, id);
    await requireUntouchedBatch(tx, batch);
    const { accountId, batchId, executionDay, releasedAt } = batch;
    const account = await findBankAccount(tx, accountId);
    if (!account || !releasedAt || executionDay === undefined) throw new Error(`the batch ${batchId} has not left`);
    const order = (await this.#options.payments.ordersOf([{ ...payment, attemptId: id }])).get(id);
    const { currency } = batch.sum;
    const recallId = newPublicId('rcl');
    const messageId = rules.recallMessageId(recallId);
    const message: RecallMessage = {
      messageId,
      caseId: rules.caseIdOf(recallId),
      createdAt: this.#options.clock.now().toISOString(),
      initiator: account.holder,
      debtorBank: { bic: account.bic, clearing: undefined, name: account.bankName },
      reason,
      text,
      original: {
        messageId: messageIdOf(batchId),
        createdAt: releasedAt.toISOString(),
        paymentInformationId: paymentInformationIdOf(batchId),
        endToEndId: payment.reference,
        uetr: order?.uetr,
        currency,
        amount: amountToText(amount(currency, payment.amountMinor)),
        executionDay,
      },
    };
    const fileName = `${accountId}.${messageId}.${bankProfiles[account.profile].recall}.xml`;
    const { reference } = payment;
    const recall = { recallId, batchId, attemptId: id, accountId, reference, reason, fileName };
    const added = await store.addRecall(tx, recall);
    if (!added) throw recallOpen();
    const content = writeRecall(account.profile, message);
    const hash = await this.#options.files.write(tx, { name: fileName, accountId, content });
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'bank_recall.asked',
      subject: rules.recordOf(added),
      toState: added.state,
      details: { payout: id, batchId, reason, fileName, hash },
    });
    return added;
  }

  /** Returns what an operator has to look at: an answer to nothing, or one against an earlier one. */
  async take(tx: Transaction, digest: string, answers: readonly ReportedRecallAnswer[]): Promise<string[]> {
    const faults: string[] = [];
    const given = new Map<rules.Recall['batchId'], { reference: string; reason: string | null }[]>();
    for (const answer of answers) {
      const recall = await store.lockRecall(tx, rules.recallIdOfCase(answer.caseId), answer.about.endToEndId);
      const { fault, isGivenBack } = await takeOne(tx, digest, answer, recall);
      if (fault !== undefined) faults.push(fault);
      if (!recall || !isGivenBack) continue;
      const payment = { reference: recall.reference, reason: null };
      given.set(recall.batchId, [...(given.get(recall.batchId) ?? []), payment]);
    }
    for (const [batchId, payments] of given)
      await this.#options.answers.propose(tx, { digest, batchId, kind: 'recalled', payments });
    return faults;
  }
}

async function takeOne(
  tx: Transaction,
  digest: string,
  { caseId, about, outcome, code, reasons }: ReportedRecallAnswer,
  recall: rules.Recall | undefined,
): Promise<{ fault?: string; isGivenBack?: boolean }> {
  const told = [code, ...reasons.flatMap((reason) => reason.code ?? [])].join(' ').slice(0, 40);
  const name = recall ? `${recall.reference} (${recall.recallId})` : (about.endToEndId ?? caseId ?? '').slice(0, 100);
  if (!recall) return { fault: `It answers a recall that is not ours, of ${name}: ${told}.` };
  if (outcome === undefined) return { fault: `It answers the recall of ${name} by a code that says neither: ${told}.` };
  const result = rules.answered(recall.state, outcome);
  if (result.kind === 'old') return {};
  const isNew = result.state !== recall.state;
  if (isNew) {
    await store.saveRecallAnswer(tx, recall.recallId, { state: result.state, answer: told });
    await recordChange(tx, byBank, {
      merchantId: instanceTenant,
      action: 'bank_recall.answered',
      subject: rules.recordOf(recall),
      fromState: recall.state,
      toState: result.state,
      details: { digest, answer: told },
    });
  }
  // What was paid comes back as a line of a statement.
  const isGivenBack = isNew && result.state === 'ACCEPTED' && !(await store.isDebited(tx, recall.reference));
  if (result.kind === 'new') return { isGivenBack };
  return { fault: `It answers the recall of ${name} by ${told}, against its answer ${recall.answer}.`, isGivenBack };
}

/** Throws `bank_payment_not_recallable` for a payment that has not left in a file. */
async function sentPayment(tx: Transaction, id: string) {
  const attemptId = publicId('att', id);
  const payment = attemptId && (await store.findBatchedPayment(tx, attemptId));
  const batch = payment && (await lockBatch(tx, payment.batchId));
  if (!payment || (batch?.state !== 'WRITTEN' && batch?.state !== 'SENT'))
    throw new RemesaError('conflict', 'bank_payment_not_recallable', 'This payment has not left in a file to a bank.');
  return { payment, batch };
}

function recallOpen(): RemesaError {
  return new RemesaError('conflict', 'bank_recall_open', 'The bank was asked for this payment and has not answered.');
}
