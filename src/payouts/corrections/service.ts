/**
 * Two operators together correct what was recorded about a payout: not paid after all, paid after all, or paid twice;
 * and about a refund: paid after all, or paid twice.
 */
import type { ApprovalSubject } from '../../approval.js';
import type { BankAccounts } from '../../bank/accounts/service.js';
import type { By } from '../../caller.js';
import { invalidField } from '../../errors.js';
import { amount } from '../../money/amount.js';
import type { OrderPayoutProofs } from '../../orders/corrections/payout-proofs.js';
import type { PayoutDebit } from '../../orders/flow/payout-outcomes.js';
import { lockOrderById } from '../../orders/order/finding.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Attempt } from '../attempt.js';
import { reportOf } from '../operator/recording.js';
import { namedBy, recordOf } from '../operator/recordings.js';
import { refOf } from '../operator/service.js';
import { isFromOurBank, type Rail, type Report } from '../rail.js';
import { notCorrectable, payoutChanged, payoutNotFound } from '../refusals.js';
import { debitedBankOf, paymentsIn } from '../reports/debits.js';
import { listReportsOf, type StoredReport } from '../reports/report-store.js';
import * as store from '../store.js';
import { isDead } from '../transitions.js';
import {
  asCorrection,
  type Correction,
  changeAttempt,
  freeRecorded,
  type Proof,
  raiseVersion,
  recordCorrection,
  storeProof,
  takeLine,
} from './proof.js';
import type { RefundCorrections } from './refund-corrections.js';

export interface CorrectionOptions {
  readonly users: UserService;
  readonly orders: OrderPayoutProofs;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly bankAccounts: BankAccounts;
  /** For what goes back to a payer. */
  readonly refunds: RefundCorrections;
}

export class PayoutCorrections {
  readonly #options: CorrectionOptions;

  constructor(options: CorrectionOptions) {
    this.#options = options;
  }

  /** What a correction is about. Throws `payout_not_found`. */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const attempt = await findAttempt(tx, id);
    const subject = recordOf(attempt);
    const owner = attempt.orderId === undefined ? `suspense:${attempt.suspenseId}` : `order:${attempt.orderId}`;
    return { subject, version: String(attempt.version), records: [subject, owner] };
  }

  /**
   * The payout was marked as paid by mistake: it is on its way again, and its order too. The bank reference can be used
   * for the payout that it belongs to. Throws `payout_not_found`, `payout_changed` and `payout_not_correctable`.
   */
  async notPaid(tx: Transaction, by: By, id: string, { version, note }: Correction): Promise<Attempt> {
    const { order, attempt, reports } = await this.#lock(tx, await findAttempt(tx, id), version);
    const corrected = await changeAttempt(tx, this.#options.rails.get(attempt.rail), attempt, 'correct');
    await freeRecorded(tx, attempt, 'paid');
    const versions = paymentsIn(reports).flatMap(({ orderVersion }) => orderVersion ?? []);
    await asCorrection(attempt, () => this.#options.orders.correctCompletion(tx, by, order, { note, versions }));
    await recordCorrection(tx, by, attempt, 'not_paid');
    return corrected;
  }

  /**
   * A payout that failed, came back or was withdrawn was paid after all, and nothing that was decided since may have
   * left: its order is completed. Also a refund, whose payer has the money then. Throws as `notPaid` does,
   * `bank_reference_used`, and `invalid_fields` when the bank account is missing or not known.
   */
  async provePaid(tx: Transaction, by: By, id: string, proof: Proof): Promise<Attempt> {
    const found = await findAttempt(tx, id);
    if (found.direction === 'refund') return this.#options.refunds.provePaid(tx, by, found, proof);
    const { order, attempt, reports } = await this.#lock(tx, found, proof.version);
    if (!isDead(attempt.state)) throw notCorrectable(attempt);
    const isDebited = debitedBankOf(reports) !== undefined;
    await this.#requireBank(tx, attempt, proof, { isNeeded: !isDebited });
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    const changed = await asCorrection(attempt, () =>
      this.#options.orders.provePayout(tx, by, order, {
        rail: attempt.rail,
        failedAt: reports.findLast(isFailure)?.orderVersion,
        note: proof.note,
        debit: isDebited ? undefined : debitOf(attempt, proof, report),
      }),
    );
    const proved = await changeAttempt(tx, this.#options.rails.get(attempt.rail), attempt, 'prove');
    if (attempt.state === 'RETURNED') await freeRecorded(tx, attempt, 'returned');
    // The line of the bank that showed the payment before it was recorded as returned may prove it again.
    const isOwn = paymentsIn(reports).some(({ reportId }) => reportId === report.reportId);
    const stored = { ...proof, bank: isDebited ? undefined : proof.bank };
    if (!isOwn) {
      await takeLine(tx, attempt, stored, { report, record: recordOf(attempt) });
      await storeProof(tx, by, attempt, { proof: stored, report, key: order.key, orderVersion: changed.version });
    }
    await recordCorrection(tx, by, attempt, 'proved_paid');
    return proved;
  }

  /**
   * A payout was paid although the order was paid out or back in another way, or it was paid twice: the loss is ours.
   * Throws as `provePaid` does.
   */
  async paidTwice(tx: Transaction, by: By, id: string, proof: Proof): Promise<Attempt> {
    const found = await findAttempt(tx, id);
    if (found.direction === 'refund') return this.#options.refunds.paidTwice(tx, by, found, proof);
    const { order, attempt } = await this.#lock(tx, found, proof.version);
    if (!isDead(attempt.state) && attempt.state !== 'PAID') throw notCorrectable(attempt);
    await this.#requireBank(tx, attempt, proof, { isNeeded: true });
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    await asCorrection(attempt, () =>
      this.#options.orders.recordPaidTwice(tx, by, order, {
        rail: attempt.rail,
        note: proof.note,
        debit: debitOf(attempt, proof, report),
      }),
    );
    const raised = await raiseVersion(tx, attempt);
    await takeLine(tx, attempt, proof, { report, record: `payout_twice:${attempt.attemptId}` });
    await storeProof(tx, by, attempt, { proof, report, key: order.key, detail: 'it was paid twice' });
    await recordCorrection(tx, by, attempt, 'paid_twice');
    return raised;
  }

  /**
   * Locks the user, the order and the attempt. Returns also what was reported about it. Throws `payout_not_found`,
   * `payout_changed` and `payout_not_correctable`.
   */
  async #lock(tx: Transaction, found: Attempt, version: number) {
    if (found.orderId === undefined) throw notCorrectable(found);
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
}

/** Throws `payout_not_found`. */
async function findAttempt(tx: Transaction, id: string): Promise<Attempt> {
  const attempt = await store.findAttempt(tx, refOf(id));
  if (!attempt) throw payoutNotFound();
  return attempt;
}

function debitOf({ rail, amount: { currency } }: Attempt, { bank }: Proof, { charge }: Report): PayoutDebit {
  return { rail, bank, charge: charge ?? amount(currency, 0n) };
}

/** The report with which the payout ended. */
function isFailure({ kind, outcome }: StoredReport): boolean {
  return outcome === 'applied' && (kind === 'rejected' || kind === 'returned' || kind === 'recalled');
}
