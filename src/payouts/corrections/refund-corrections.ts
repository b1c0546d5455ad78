/** Two operators together prove that a payer has money back: of an order, or of money in suspense. */
import type { BankAccounts } from '../../bank/accounts/service.js';
import type { By } from '../../caller.js';
import { invalidField } from '../../errors.js';
import type { OrderRefundProofs } from '../../orders/corrections/refund-proofs.js';
import { lockOrderById } from '../../orders/order/finding.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Attempt } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import { reportOf } from '../operator/recording.js';
import { namedBy, recordOf } from '../operator/recordings.js';
import type { SuspenseRefundOutcomes } from '../ports.js';
import type { Rail } from '../rail.js';
import { notCorrectable, payoutChanged, payoutNotFound } from '../refusals.js';
import { paymentsIn } from '../reports/debits.js';
import { listReportsOf, type StoredReport } from '../reports/report-store.js';
import { lockAttempt } from '../store.js';
import { isDead } from '../transitions.js';
import {
  asCorrection,
  changeAttempt,
  freeRecorded,
  type Proof,
  raiseVersion,
  recordCorrection,
  storeProof,
  takeLine,
} from './proof.js';

export interface RefundCorrectionOptions {
  readonly users: UserService;
  readonly orders: OrderRefundProofs;
  readonly suspense: SuspenseRefundOutcomes;
  readonly keys: AttemptKeys;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly bankAccounts: BankAccounts;
}

/** What becomes of the refund in the books of the order, or of the record. */
type Booking = (bank: string) => Promise<unknown>;

interface LockedRefund {
  readonly attempt: Attempt;
  readonly key: Buffer;
  readonly prove: Booking;
  readonly overpay: Booking;
}

export class RefundCorrections {
  readonly #options: RefundCorrectionOptions;

  constructor(options: RefundCorrectionOptions) {
    this.#options = options;
  }

  /**
   * A refund that was withdrawn, refused or recorded as returned was paid after all. Throws `payout_changed`,
   * `payout_not_correctable`, `bank_reference_used` and `invalid_fields`.
   */
  async provePaid(tx: Transaction, by: By, found: Attempt, proof: Proof): Promise<Attempt> {
    requireNoCharge(proof);
    const { attempt, key, prove } = await this.#lock(tx, by, found, proof);
    if (!isDead(attempt.state)) throw notCorrectable(attempt);
    const reports = await listReportsOf(tx, attempt);
    const paid = paymentsIn(reports);
    const isDebited = paid.length > 0;
    if (!isDebited) await this.#requireBank(tx, attempt, proof);
    const bank = isDebited ? accountOfReturn(attempt, reports) : proof.bank;
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    await asCorrection(attempt, () => prove(bank ?? attempt.rail));
    const { rails } = this.#options;
    const proved = await changeAttempt(tx, rails.get(attempt.rail), attempt, 'prove');
    if (attempt.state === 'RETURNED') await freeRecorded(tx, attempt, 'returned');
    // The line of the bank that showed the payment before it was recorded as returned may prove it again.
    if (!paid.some(({ reportId }) => reportId === report.reportId)) {
      const stored = { ...proof, bank: isDebited ? undefined : proof.bank };
      await takeLine(tx, attempt, stored, { report, record: recordOf(attempt) });
      await storeProof(tx, by, attempt, { proof: stored, report, key });
    }
    await recordCorrection(tx, by, attempt, 'proved_paid');
    return proved;
  }

  /**
   * A refund was paid again, or although its payer was owed nothing any more: the loss is ours. Throws as `provePaid`
   * does.
   */
  async paidTwice(tx: Transaction, by: By, found: Attempt, proof: Proof): Promise<Attempt> {
    requireNoCharge(proof);
    const { attempt, key, overpay } = await this.#lock(tx, by, found, proof);
    if (!isDead(attempt.state) && attempt.state !== 'PAID') throw notCorrectable(attempt);
    const bank = await this.#requireBank(tx, attempt, proof);
    const report = reportOf(attempt, { ...proof, kind: 'paid', reason: undefined });
    await asCorrection(attempt, () => overpay(bank));
    const raised = await raiseVersion(tx, attempt);
    await takeLine(tx, attempt, proof, { report, record: `payout_twice:${attempt.attemptId}` });
    await storeProof(tx, by, attempt, { proof, report, key, detail: 'it was paid twice' });
    await recordCorrection(tx, by, attempt, 'paid_twice');
    return raised;
  }

  /**
   * Locks the user, the order and the attempt; for money in suspense the attempt, and its record when it is booked.
   * Throws `payout_not_found` and `payout_changed`.
   */
  async #lock(tx: Transaction, by: By, found: Attempt, { version, note }: Proof): Promise<LockedRefund> {
    const { users, orders, suspense, keys } = this.#options;
    const order = found.orderId === undefined ? undefined : await lockOrderById(tx, users, found.orderId);
    const attempt = await lockAttempt(tx, found);
    const key = attempt && (await keys.of(tx, attempt));
    if (!attempt || !key) throw payoutNotFound();
    if (attempt.version !== version) throw payoutChanged(attempt);
    const { amount: paid } = attempt;
    if (attempt.orderId === undefined) {
      const record = { ownerId: attempt.merchantId, suspenseId: attempt.suspenseId };
      const prove: Booking = (bank) => suspense.proveRefund(tx, by, record, { bank, amount: paid, note });
      const overpay: Booking = (bank) => suspense.recordOverpaid(tx, by, record, { bank, amount: paid, note });
      return { attempt, key, prove, overpay };
    }
    const { refundId } = attempt;
    if (!order || !refundId) throw new Error(`attempt ${attempt.attemptId} is no refund of an order`);
    const prove: Booking = (bank) => orders.prove(tx, by, order, { refundId, paid, bank, note });
    const overpay: Booking = (bank) => orders.recordOverpaid(tx, by, order, { refundId, paid, bank, note });
    return { attempt, key, prove, overpay };
  }

  /** Returns the account that the bank debited. Throws `invalid_fields`. */
  async #requireBank(tx: Transaction, attempt: Attempt, { bank }: Proof): Promise<string> {
    if (bank === undefined) throw invalidField('bank', 'required', 'is required for a refund');
    await this.#options.bankAccounts.requireKnown(tx, namedBy(attempt, bank), 'bank');
    return bank;
  }
}

/** Throws `invalid_fields`. */
function requireNoCharge({ charge }: Proof): void {
  if (charge !== undefined) throw invalidField('charge', 'not_allowed', 'book the charge on a refund as a bank fee');
}

/** Where the money came back to by mistake; undefined where only the rail knows. */
function accountOfReturn(attempt: Attempt, reports: readonly StoredReport[]): string | undefined {
  const returned = reports.findLast(({ kind, outcome }) => kind === 'returned' && outcome === 'applied');
  return returned?.bank ?? (attempt.orderId === undefined ? attempt.bank : undefined);
}
