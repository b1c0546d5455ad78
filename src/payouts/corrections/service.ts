/**
 * Two operators together correct what was recorded about a payout: not paid after all, paid after all, or paid twice.
 */
import type { ApprovalSubject } from '../../approval.js';
import type { BankAccounts } from '../../bank/accounts/service.js';
import { bankReferenceUsed, freeBankLines, takeBankLine } from '../../bank/lines/service.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { amount } from '../../money/amount.js';
import type { OrderCorrections } from '../../orders/corrections/service.js';
import type { PayoutDebit } from '../../orders/flow/payout-outcomes.js';
import { lockOrderById } from '../../orders/order/finding.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Attempt, OrderAttempt } from '../attempt.js';
import { reportOf } from '../operator/recording.js';
import { namedBy, recordOf } from '../operator/recordings.js';
import { refOf } from '../operator/service.js';
import { isFromOurBank, type Rail, type Report } from '../rail.js';
import { notCorrectable, payoutChanged, payoutNotFound } from '../refusals.js';
import { askInSeconds } from '../reports/asking.js';
import { debitedBankOf, paymentsIn } from '../reports/debits.js';
import { addReport, listReportsOf, type StoredReport, withdrawRecorded } from '../reports/report-store.js';
import { sealRaw } from '../sealed.js';
import * as store from '../store.js';
import { type AttemptEvent, attemptStateAfter, isDead } from '../transitions.js';

export interface CorrectionOptions {
  readonly users: UserService;
  readonly orders: OrderCorrections;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly bankAccounts: BankAccounts;
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

interface Proved {
  readonly proof: Proof;
  readonly report: Report;
  readonly key: Buffer;
  readonly detail?: string;
  readonly orderVersion?: number;
}

export class PayoutCorrections {
  readonly #options: CorrectionOptions;

  constructor(options: CorrectionOptions) {
    this.#options = options;
  }

  /** What a correction is about. Throws `payout_not_found`. */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const attempt = await findPayout(tx, id);
    const subject = recordOf(attempt);
    return {
      subject,
      version: String(attempt.version),
      records: [subject, `order:${attempt.orderId}`],
    };
  }

  /**
   * The payout was marked as paid by mistake: it is on its way again, and its order too. The bank reference can be used
   * for the payout that it belongs to. Throws `payout_not_found`, `payout_changed` and `payout_not_correctable`.
   */
  async notPaid(tx: Transaction, by: By, id: string, { version, note }: Correction): Promise<Attempt> {
    const { order, attempt, reports } = await this.lock(tx, id, version);
    const corrected = await this.#change(tx, attempt, 'correct');
    await this.#free(tx, attempt, 'paid');
    const versions = paymentsIn(reports).flatMap(({ orderVersion }) => orderVersion ?? []);
    await this.#correct(attempt, () => this.#options.orders.correctCompletion(tx, by, order, { note, versions }));
    await this.#audit(tx, by, attempt, 'not_paid');
    return corrected;
  }

  /**
   * A payout that failed, came back or was withdrawn was paid after all, and nothing that was decided since may have
   * left: its order is completed. Throws as `notPaid` does, `bank_reference_used`, and `invalid_fields` when the bank
   * account is missing or not known.
   */
  async provePaid(tx: Transaction, by: By, id: string, proof: Proof): Promise<Attempt> {
    const { order, attempt, reports } = await this.lock(tx, id, proof.version);
    if (!isDead(attempt.state)) throw notCorrectable(attempt);
    const isDebited = debitedBankOf(reports) !== undefined;
    await this.#requireBank(tx, attempt, proof, { isNeeded: !isDebited });
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    const changed = await this.#correct(attempt, () =>
      this.#options.orders.provePayout(tx, by, order, {
        rail: attempt.rail,
        failedAt: reports.findLast(isFailure)?.orderVersion,
        note: proof.note,
        debit: isDebited ? undefined : debitOf(attempt, proof, report),
      }),
    );
    const proved = await this.#change(tx, attempt, 'prove');
    if (attempt.state === 'RETURNED') await this.#free(tx, attempt, 'returned');
    // The line of the bank that showed the payment before it was recorded as returned may prove it again.
    const isOwn = paymentsIn(reports).some(({ reportId }) => reportId === report.reportId);
    const stored = { ...proof, bank: isDebited ? undefined : proof.bank };
    if (!isOwn) {
      await takeLine(tx, attempt, stored, { report, record: recordOf(attempt) });
      await this.#store(tx, by, attempt, { proof: stored, report, key: order.key, orderVersion: changed.version });
    }
    await this.#audit(tx, by, attempt, 'proved_paid');
    return proved;
  }

  /**
   * A payout was paid although the order was paid out or back in another way, or it was paid twice: the loss is ours.
   * Throws as `provePaid` does.
   */
  async paidTwice(tx: Transaction, by: By, id: string, proof: Proof): Promise<Attempt> {
    const { order, attempt } = await this.lock(tx, id, proof.version);
    if (!isDead(attempt.state) && attempt.state !== 'PAID') throw notCorrectable(attempt);
    await this.#requireBank(tx, attempt, proof, { isNeeded: true });
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    await this.#correct(attempt, () =>
      this.#options.orders.recordPaidTwice(tx, by, order, {
        rail: attempt.rail,
        note: proof.note,
        debit: debitOf(attempt, proof, report),
      }),
    );
    // The state stays, and the same is not recorded twice.
    const raised = await store.raiseVersion(tx, attempt);
    if (!raised) throw new Error(`attempt ${attempt.attemptId} changed under its lock`);
    await takeLine(tx, attempt, proof, { report, record: `payout_twice:${attempt.attemptId}` });
    await this.#store(tx, by, attempt, { proof, report, key: order.key, detail: 'it was paid twice' });
    await this.#audit(tx, by, attempt, 'paid_twice');
    return raised;
  }

  /**
   * Locks the user, the order and the attempt. Returns also what was reported about it. Throws `payout_not_found`,
   * `payout_changed` and `payout_not_correctable`.
   */
  async lock(tx: Transaction, id: string, version: number) {
    const found = await findPayout(tx, id);
    const order = await lockOrderById(tx, this.#options.users, found.orderId);
    const attempt = await store.lockAttempt(tx, found);
    if (attempt?.orderId === undefined) throw payoutNotFound();
    if (attempt.version !== version) throw payoutChanged(attempt);
    if (attempt.direction !== 'payout') throw notCorrectable(attempt);
    return { order, attempt, reports: await listReportsOf(tx, attempt) };
  }

  /** A debit is booked on the account that the operators' bank debited. Throws `invalid_fields`. */
  async #requireBank(
    tx: Transaction,
    attempt: Attempt,
    { bank }: Proof,
    { isNeeded }: { readonly isNeeded: boolean },
  ): Promise<void> {
    const { rails, bankAccounts } = this.#options;
    if (bank !== undefined) await bankAccounts.requireKnown(tx, namedBy(attempt, bank), 'bank');
    else if (isNeeded && isFromOurBank(rails.get(attempt.rail)))
      throw invalidField('bank', 'required', 'is required: name the account that the bank debited');
  }

  /** What was recorded did not happen: the references of the bank are free for what they belong to. */
  async #free(tx: Transaction, attempt: Attempt, kind: 'paid' | 'returned'): Promise<void> {
    await withdrawRecorded(tx, attempt, kind);
    await freeBankLines(tx, recordOf(attempt), kind === 'paid' ? 'debit' : 'credit');
  }

  async #change(tx: Transaction, attempt: Attempt, event: AttemptEvent): Promise<Attempt> {
    const to = attemptStateAfter(attempt.state, event);
    if (to === undefined) throw notCorrectable(attempt);
    const rail = this.#options.rails.get(attempt.rail);
    const saved = await store.saveState(tx, attempt, to, rail && askInSeconds(rail, to, 0));
    if (!saved) throw new Error(`attempt ${attempt.attemptId} changed under its lock`);
    return saved;
  }

  /** The order must be where the mistake has left it. */
  #correct<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
    return work().catch((error: unknown) => {
      const code = error instanceof RemesaError ? error.code : undefined;
      throw code === 'order_transition_not_allowed' ? notCorrectable(attempt) : error;
    });
  }

  /** Throws `bank_reference_used`. */
  async #store(tx: Transaction, by: By, attempt: Attempt, { proof, report, key, detail, orderVersion }: Proved) {
    const isNew = await addReport(tx, {
      rail: attempt.rail,
      report,
      attempt,
      outcome: 'applied',
      detail,
      sealedRaw: sealRaw(key, attempt, report.raw),
      bank: proof.bank,
      orderVersion,
      recordedBy: operatorOf(by),
    });
    if (!isNew) throw bankReferenceUsed('This bank reference was recorded before.');
  }

  #audit(tx: Transaction, by: By, { merchantId, attemptId, state }: Attempt, what: string): Promise<void> {
    const subject = recordOf({ attemptId });
    return recordChange(tx, by, { merchantId, action: `payout.corrected_${what}`, subject, fromState: state });
  }
}

/** Throws `payout_not_found`, also for money in suspense that is paid back. */
async function findPayout(tx: Transaction, id: string): Promise<OrderAttempt> {
  const attempt = await store.findAttempt(tx, refOf(id));
  if (attempt?.orderId === undefined) throw payoutNotFound();
  return attempt;
}

function debitOf({ rail, amount: { currency } }: Attempt, { bank }: Proof, { charge }: Report): PayoutDebit {
  return { rail, bank, charge: charge ?? amount(currency, 0n) };
}

/** Throws `bank_reference_used`. */
async function takeLine(
  tx: Transaction,
  { amount: paid, reference: endToEndId }: Attempt,
  { bank, bankReference: reference, bookedAt }: Proof,
  taken: { readonly report: Report; readonly record: string },
): Promise<void> {
  if (bank === undefined) return;
  const moved = { bank, currency: paid.currency, sign: 'debit', source: 'hand' } as const;
  const amountMinor = paid.minor + (taken.report.charge?.minor ?? 0n);
  const bookedOn = bookedAt.toISOString().slice(0, 10);
  await takeBankLine(tx, { ...moved, amountMinor, bookedOn, reference, endToEndId }, taken.record);
}

/** The report with which the payout ended. */
function isFailure({ kind, outcome }: StoredReport): boolean {
  return outcome === 'applied' && (kind === 'rejected' || kind === 'returned' || kind === 'recalled');
}
