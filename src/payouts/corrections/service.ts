/** Two operators together correct what was recorded about a payout: not paid after all, paid after all, or paid twice. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { amount } from '../../money/amount.js';
import type { OrderCorrections } from '../../orders/corrections/service.js';
import type { PayoutDebit } from '../../orders/flow/movement-service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Attempt, OrderAttempt } from '../attempt.js';
import { changed, payoutNotFound, refOf, reportOf } from '../operator/service.js';
import type { Rail, Report } from '../rail.js';
import { addReport, isStored, listReportsOf, withdrawRecorded } from '../reports/report-store.js';
import { sealRaw } from '../sealed.js';
import { askInSeconds } from '../sending/schedule.js';
import * as store from '../store.js';
import { type AttemptEvent, attemptStateAfter, isDead } from '../transitions.js';

export interface CorrectionOptions {
  readonly orders: OrderCorrections;
  readonly rails: ReadonlyMap<string, Rail>;
}

export interface Correction {
  /** Of the attempt. */
  readonly version: number;
  readonly note: string;
}

/** The line of the bank statement that shows the payment. */
export interface Proof extends Correction {
  readonly bankReference: string;
  readonly bookedAt: Date;
  /** The place of the bank account in the ledger. */
  readonly bank: string | undefined;
  /** As a decimal, in the currency of the payment. */
  readonly charge: string | undefined;
}

type Locked = Awaited<ReturnType<PayoutCorrections['lock']>>;

export class PayoutCorrections {
  constructor(readonly options: CorrectionOptions) {}

  /** What a correction is about. Throws `payout_not_found`. */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const attempt = await findPayout(tx, id);
    const subject = `payout:${attempt.attemptId}`;
    return {
      subject,
      version: String(attempt.version),
      records: [subject, `order:${attempt.orderId}`],
    };
  }

  /**
   * The payout was marked as paid by mistake: it is on its way again, and its order too. The bank reference can be used for
   * the payout that it belongs to. Throws `payout_not_found`, `payout_changed` and `payout_not_correctable`.
   */
  async notPaid(tx: Transaction, by: By, id: string, { version, note }: Correction): Promise<Attempt> {
    const { order, attempt } = await this.lock(tx, id, version);
    const corrected = await this.#change(tx, attempt, 'correct');
    await withdrawRecorded(tx, attempt, 'paid');
    await this.#correct(attempt, () => this.options.orders.correctCompletion(tx, by, order, note));
    await this.#audit(tx, by, attempt, 'not_paid');
    return corrected;
  }

  /**
   * A payout that failed or came back was paid after all, and no other attempt is alive: its order is completed. Throws as `notPaid`
   * does, and `bank_reference_used`.
   */
  async provePaid(tx: Transaction, by: By, id: string, proof: Proof): Promise<Attempt> {
    const { order, attempt } = await this.lock(tx, id, proof.version);
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    // The line of the bank that showed the payment before it was recorded as returned may prove it again.
    const isOwn = (await listReportsOf(tx, attempt)).some(({ reportId }) => reportId === report.reportId);
    if (!isOwn) await this.#requireNew(tx, attempt, report);
    await this.#correct(attempt, () =>
      this.options.orders.provePayout(tx, by, order, {
        rail: attempt.rail,
        attemptId: attempt.attemptId,
        note: proof.note,
        debit: debitOf(attempt, proof, report),
      }),
    );
    const proved = await this.#change(tx, attempt, 'prove');
    if (attempt.state === 'RETURNED') await withdrawRecorded(tx, attempt, 'returned');
    await this.#store(tx, order.key, attempt, report);
    await this.#audit(tx, by, attempt, 'proved_paid');
    return proved;
  }

  /**
   * A payout was paid although the order was paid out or back in another way, or it was paid twice: the loss is ours. Throws
   * as `provePaid` does.
   */
  async paidTwice(tx: Transaction, by: By, id: string, proof: Proof): Promise<Attempt> {
    const { order, attempt } = await this.lock(tx, id, proof.version);
    if (!isDead(attempt.state) && attempt.state !== 'PAID') throw notCorrectable(attempt);
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    await this.#requireNew(tx, attempt, report);
    await this.#correct(attempt, () =>
      this.options.orders.recordPaidTwice(tx, by, order, {
        rail: attempt.rail,
        note: proof.note,
        debit: debitOf(attempt, proof, report),
      }),
    );
    await this.#store(tx, order.key, attempt, report);
    await this.#audit(tx, by, attempt, 'paid_twice');
    return attempt;
  }

  /** Locks the user, the order and the attempt. Throws `payout_not_found` and `payout_changed`. */
  async lock(tx: Transaction, id: string, version: number) {
    const found = await findPayout(tx, id);
    const order = await this.options.orders.lock(tx, found.orderId);
    const attempt = await store.lockAttempt(tx, found);
    if (attempt?.orderId === undefined) throw payoutNotFound();
    if (attempt.version !== version) throw changed(attempt);
    if (attempt.direction !== 'payout') throw notCorrectable(attempt);
    return { order, attempt };
  }

  /** Throws `bank_reference_used`. */
  async #requireNew(tx: Transaction, { merchantId, rail }: Attempt, { reportId }: Report): Promise<void> {
    if (!(await isStored(tx, merchantId, rail, reportId))) return;
    const message = 'This bank reference was recorded before.';
    throw new RemesaError('conflict', 'bank_reference_used', message);
  }

  async #change(tx: Transaction, attempt: Attempt, event: AttemptEvent): Promise<Attempt> {
    const to = attemptStateAfter(attempt.state, event);
    if (to === undefined) throw notCorrectable(attempt);
    const rail = this.options.rails.get(attempt.rail);
    const saved = await store.saveState(tx, attempt, to, rail && askInSeconds(rail, to, 0));
    if (!saved) throw new Error(`attempt ${attempt.attemptId} changed under its lock`);
    return saved;
  }

  /** The order must be where the mistake has left it. */
  async #correct(attempt: Attempt, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      const code = error instanceof RemesaError ? error.code : undefined;
      throw code === 'order_transition_not_allowed' ? notCorrectable(attempt) : error;
    });
  }

  async #store(tx: Transaction, key: Buffer, attempt: Attempt, report: Report): Promise<void> {
    const sealedRaw = sealRaw(key, attempt, report.raw);
    const stored = { rail: attempt.rail, report, attempt, sealedRaw };
    await addReport(tx, { ...stored, outcome: 'applied', detail: undefined });
  }

  #audit(tx: Transaction, by: By, { merchantId, attemptId, state }: Attempt, what: string): Promise<void> {
    const subject = `payout:${attemptId}`;
    return recordChange(tx, by, { merchantId, action: `payout.corrected_${what}`, subject, fromState: state });
  }
}

/** Throws `payout_not_found`, also for money in suspense that is paid back. */
async function findPayout(tx: Transaction, id: string): Promise<OrderAttempt> {
  const attempt = await store.findAttempt(tx, refOf(id));
  if (attempt?.orderId === undefined) throw payoutNotFound();
  return attempt;
}

function debitOf(
  { rail, amount: { currency } }: Locked['attempt'],
  { bank }: Proof,
  { charge }: Report,
): PayoutDebit | undefined {
  return bank === undefined ? undefined : { rail, bank, charge: charge ?? amount(currency, 0n) };
}

function notCorrectable({ state, version }: Attempt): RemesaError {
  const message = `This is not possible for a payout that is ${state}, or for the state of its order.`;
  return new RemesaError('conflict', 'payout_not_correctable', message, { members: { state, version } });
}
