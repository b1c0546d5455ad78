/** The verbs on answers of banks: propose, apply with a second operator, dismiss. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, newPublicId, publicId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { doEach } from '../../worker/claim.js';
import { byBank } from '../batches/changing.js';
import type { BatchedPayments } from '../batches/ports.js';
import { retryBatchDebit } from '../lines/reported-store.js';
import { type Answer, type AnswerState, recordOf } from './answer.js';
import {
  addAnswer,
  type ClaimedAnswer,
  claimApprovedAnswers,
  listAnswers,
  lockAnswer,
  lockClaimedAnswer,
  saveAnswerState,
} from './answer-store.js';
import { findPossibleDebit, type PossibleDebit } from './debit-store.js';
import { digestedAnswer } from './rows.js';

export interface AnswerOptions {
  readonly database: Database;
  readonly payments: BatchedPayments;
  readonly log: Log;
}

/** The job that applies what operators have approved. */
export const answerJob = 'bank.answers';
/** Longer than the payments of one answer take. */
const leaseSeconds = 60;

export class AnswerService {
  readonly #options: AnswerOptions;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** Those that wait for operators, the oldest first. */
  list(database: Queryable, states: readonly AnswerState[], limit: number): Promise<Answer[]> {
    return listAnswers(database, states, limit);
  }

  /** The same file says the same once. */
  async propose(tx: Transaction, said: Pick<Answer, 'digest' | 'batchId' | 'kind' | 'payments'>): Promise<void> {
    if (said.payments.length === 0) return;
    const added = await addAnswer(tx, { ...said, answerId: newPublicId('ban') });
    if (!added) return;
    const { batchId, kind, payments, state, version } = added;
    await retryBatchDebit(tx, batchId);
    await recordChange(tx, byBank, {
      ...digestedAnswer(added),
      merchantId: instanceTenant,
      action: 'bank_answer.received',
      toState: state,
      details: { batchId, kind, payments: payments.length },
      version,
    });
  }

  /** What is to be approved. Throws `bank_answer_not_found` and `bank_answer_debited`. */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const answer = await lock(tx, id);
    await requireUndebited(tx, answer);
    return { subject: recordOf(answer), version: String(answer.version) };
  }

  /**
   * Its payments are recorded as rejected or recalled next. Throws `bank_answer_not_found`, `bank_answer_decided`, and
   * `bank_answer_debited` while a statement says that one of them was, or may have been, paid.
   */
  async apply(tx: Transaction, by: By, id: string): Promise<Answer> {
    const answer = await lock(tx, id);
    if (answer.state !== 'WAITING' || answer.kind === 'duplicate') throw decided(answer);
    await requireUndebited(tx, answer);
    const approved = await change(tx, by, answer, 'APPROVED');
    tx.wake(answerJob);
    return approved;
  }

  /** Nothing follows from it. Throws as `apply` does. */
  async dismiss(tx: Transaction, by: By, id: string, note: string): Promise<Answer> {
    const answer = await lock(tx, id);
    if (answer.state !== 'WAITING') throw decided(answer);
    await retryBatchDebit(tx, answer.batchId);
    return change(tx, by, answer, 'DISMISSED', { note });
  }

  /** The job's part: each payment in a transaction of its own merchant. Returns how many answers there were. */
  async applyApproved(): Promise<number> {
    const { database, log } = this.#options;
    const approved = await claimApprovedAnswers(database, leaseSeconds);
    const done = await doEach(approved, (answer) => this.#applyOne(answer));
    for (const outcome of done)
      if ('error' in outcome)
        log.error({ answerId: outcome.row.answerId, err: outcome.error }, 'an answer could not be applied');
    return approved.length;
  }

  async #applyOne(claimed: ClaimedAnswer): Promise<void> {
    const { digest, payments, kind: said } = claimed;
    const kind = said === 'recalled' ? ('recalled' as const) : ('rejected' as const);
    const news = payments.map(({ reference, reason }) => ({
      reportId: `${digest}.${reference}.${kind}`,
      reference,
      kind,
      ...(reason === null ? {} : { reason }),
      raw: JSON.stringify({ file: digest, reason }),
    }));
    // A statement may have come since it was approved: then people decide again.
    const debit = await debitOf(this.#options.database, claimed);
    if (!debit && !(await this.#options.payments.tell(news))) return;
    await this.#options.database.transaction(async (tx) => {
      const answer = await lockClaimedAnswer(tx, claimed);
      if (answer) await change(tx, byBank, answer, debit ? 'WAITING' : 'APPLIED');
    });
  }
}

function debitOf(database: Queryable, { batchId, payments }: Answer): Promise<PossibleDebit | undefined> {
  const references = payments.map(({ reference }) => reference);
  return findPossibleDebit(database, batchId, references);
}

/** Throws `bank_answer_debited`. */
async function requireUndebited(tx: Transaction, answer: Answer): Promise<void> {
  const debit = await debitOf(tx, answer);
  if (!debit) return;
  const { lineId, accountId, reference } = debit;
  const message = `The line ${lineId} of ${accountId} is a debit that may be the payment ${reference}.`;
  throw new RemesaError('conflict', 'bank_answer_debited', message, { members: { lineId, accountId, reference } });
}

async function change(
  tx: Transaction,
  by: By,
  before: Answer,
  state: AnswerState,
  details: { readonly note?: string } = {},
): Promise<Answer> {
  const after = await saveAnswerState(tx, before, state);
  await recordChange(tx, by, {
    ...digestedAnswer(after),
    rowBefore: digestedAnswer(before).row,
    merchantId: instanceTenant,
    action: `bank_answer.${state.toLowerCase()}`,
    fromState: before.state,
    toState: state,
    details: { ...details },
    version: after.version,
  });
  return after;
}

/** Throws `bank_answer_not_found`. */
async function lock(tx: Transaction, id: string): Promise<Answer> {
  const answerId = publicId('ban', id);
  const answer = answerId && (await lockAnswer(tx, answerId));
  if (!answer) throw new RemesaError('not_found', 'bank_answer_not_found', 'There is no such answer of a bank.');
  return answer;
}

function decided({ state, kind }: Answer): RemesaError {
  const message =
    kind === 'duplicate' ? 'Payments that the bank has twice are not rejected.' : `The answer is ${state}.`;
  return new RemesaError('conflict', 'bank_answer_decided', message, { members: { state } });
}
