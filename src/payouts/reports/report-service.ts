/**
 * Receives reports: each is stored once, changes its attempt and its order or record once, or waits for an operator.
 */
import { bankReferenceUsed, takeBankLine } from '../../bank/lines/service.js';
import type { By } from '../../caller.js';
import { requireUntouched } from '../../changes/service.js';
import { instanceTenant, type OperatorId } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { PayoutOutcomes } from '../../orders/flow/payout-outcomes.js';
import { lockOrder } from '../../orders/order/finding.js';
import type { Order } from '../../orders/order/order.js';
import type { OrderRefundOutcomes } from '../../orders/refunds/refund-outcomes.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type Attempt, digestedAttempt, ownerOfReference } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import type { SuspenseRefundOutcomes } from '../ports.js';
import { isFromOurBank, type Rail, type Report } from '../rail.js';
import { payoutChanged } from '../refusals.js';
import { sealPickupCode, sealRaw, sealUnmatchedRaw } from '../sealed.js';
import * as store from '../store.js';
import { askAgainInSeconds, askInSeconds } from './asking.js';
import { bankMovementOf } from './bank-movement.js';
import { debitedBankOf } from './debits.js';
import { statusReasonOf } from './reasons.js';
import { boundedReport, type Decision, decideReport, type ReportSource } from './report-rules.js';
import { addReport, isStored, listReportsOf, type ReportOutcome } from './report-store.js';

export interface ReportOptions {
  readonly users: UserService;
  /** What became of payouts and refunds of orders. */
  readonly payouts: PayoutOutcomes;
  readonly refunds: OrderRefundOutcomes;
  readonly keys: AttemptKeys;
  /** The room whose money in suspense was paid back. */
  readonly outcomes: SuspenseRefundOutcomes;
  readonly rails: ReadonlyMap<string, Rail>;
  /** Seals reports that belong to nothing we know. */
  readonly reportKey: Buffer;
}

export interface ReceivedReport {
  readonly rail: string;
  readonly report: Report;
  readonly source: ReportSource;
  /** The account that paid, or that the money came back to, where that is known. */
  readonly bank?: string | undefined;
  /** A line of a bank says it, which the caller explains by the payout. */
  readonly isReportedLine?: boolean;
  /** Who recorded it by hand, for the attempt at this version. */
  readonly recorded?: { readonly version: number; readonly by: OperatorId } | undefined;
  /** The attempt that the rail was asked about. It is found by the reference otherwise. */
  readonly about?: Attempt | undefined;
  /** An operator handed it in, in a document of the rail. */
  readonly isHandedIn?: boolean;
  /** The rail says more about the attempt in the same answer. It is asked again, in case that is not received. */
  readonly isFollowed?: boolean;
}

export class ReportService {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /**
   * Locks the user, the order and the attempt; for money in suspense the attempt, then the record. A report that was
   * received before changes nothing. Writes rows of one merchant only, so each report needs a transaction of its own.
   * Throws `payout_changed` when the attempt is not at the version that was recorded, and `bank_reference_used` when
   * what is recorded was recorded for another payment.
   */
  async receive(tx: Transaction, by: By, given: ReceivedReport): Promise<ReportOutcome> {
    const { rail, about, source, recorded } = given;
    const report = boundedReport(given.report);
    const isAbout = about?.reference === report.reference && about.rail === rail;
    const found = isAbout ? about : await findAttempt(tx, rail, report.reference);
    if (!found) return this.#storeUnmatched(tx, { ...given, report });
    const { order, attempt, key, isOld } = await this.#lock(tx, found, { rail, report });
    if (recorded && recorded.version !== attempt.version) throw payoutChanged(attempt);
    if (isOld && source === 'rail') return 'old';
    const decision = decideReport(attempt, order?.state, report, source);
    if (source === 'hand' && decision.outcome !== 'applied') return decision.outcome;
    if (isOld) throw bankReferenceUsed('This bank reference was recorded before.');
    const received = { ...given, report, bank: given.bank ?? (await this.#bankOf(tx, attempt, decision)) };
    // Sent together: a report that fails undoes the change too.
    await Promise.all([
      this.#store(tx, attempt, received, { decision, key, order }),
      decision.outcome === 'applied' ? this.#apply(tx, by, { ...received, attempt, order, ...decision }) : undefined,
    ]);
    return decision.outcome;
  }

  /** Sent together, and taken in this order: the user, the order, the attempt. */
  async #lock(tx: Transaction, found: Attempt, { rail, report }: Pick<ReceivedReport, 'rail' | 'report'>) {
    const { attemptId, merchantId } = found;
    const [order, attempt, isOld, key] = await Promise.all([
      found.orderId === undefined ? undefined : lockOrder(tx, this.#options.users, found),
      store.lockAttempt(tx, found),
      isStored(tx, merchantId, rail, report.reportId),
      this.#options.keys.of(tx, found),
    ]);
    if (!attempt) throw new Error(`attempt ${attemptId} is gone`);
    return { order, attempt, isOld, key };
  }

  /** What comes back of a payment that operators made arrives on the account that paid it, if nobody says otherwise. */
  async #bankOf(tx: Transaction, attempt: Attempt, decision: Decision): Promise<string | undefined> {
    const isReturned = decision.outcome === 'applied' && decision.event === 'return' && attempt.state === 'PAID';
    if (!isReturned || !isFromOurBank(this.#options.rails.get(attempt.rail))) return undefined;
    return debitedBankOf(await listReportsOf(tx, attempt));
  }

  async #apply(tx: Transaction, by: By, applied: Applied): Promise<void> {
    const { attempt, to, isFollowed } = applied;
    const rail = this.#options.rails.get(attempt.rail);
    const askIn = rail && (isFollowed ? askAgainInSeconds(rail) : askInSeconds(rail, to, 0));
    const [saved] = await Promise.all([
      store.saveState(tx, attempt, to, askIn),
      requireUntouched(tx, attempt.merchantId, digestedAttempt(attempt)),
      this.#change(tx, by, applied),
    ]);
    if (!saved) throw new Error(`attempt ${attempt.attemptId} changed under its lock`);
    if (!applied.isReportedLine) await takeLine(tx, applied);
  }

  #change(tx: Transaction, by: By, applied: Applied): Promise<void> {
    const { attempt, order } = applied;
    if (!order) return this.#changeSuspense(tx, by, applied);
    return attempt.direction === 'payout'
      ? this.#changePayout(tx, by, order, applied)
      : this.#changeRefund(tx, by, order, applied);
  }

  async #changeSuspense(tx: Transaction, by: By, { attempt, event, bank: paying }: Applied): Promise<void> {
    if (attempt.orderId !== undefined) throw new Error(`attempt ${attempt.attemptId} belongs to an order`);
    const { outcomes } = this.#options;
    const { merchantId: ownerId, suspenseId, attemptId, amount: moved } = attempt;
    const bank = paying ?? attempt.bank;
    const record = { ownerId, suspenseId };
    if (event === 'pay') {
      await outcomes.settleRefund(tx, by, record, { bank, amount: moved });
    } else if (event === 'return' && attempt.state === 'PAID') {
      const returned = { movement: attemptId, bank, amount: moved };
      await outcomes.returnRefund(tx, by, record, returned);
    } else if (event !== 'accept') {
      await outcomes.failRefund(tx, by, record);
    }
  }

  async #changePayout(tx: Transaction, by: By, order: Order, applied: Applied): Promise<void> {
    const { payouts } = this.#options;
    const { attempt, event, report, bank } = applied;
    const { rail } = attempt;
    const reason = statusReasonOf('payout', report.kind, report.reason);
    const charge = report.charge ?? nothing(attempt.amount);
    if (event === 'pay') {
      await payouts.completePayout(tx, by, order, { rail, bank, charge });
    } else if (event === 'return' && attempt.state === 'PAID') {
      const to = bank === undefined ? { rail } : { movement: attempt.attemptId, bank };
      await payouts.returnPayout(tx, by, order, { to, charge, reason });
    } else if (event !== 'accept') {
      await payouts.failPayout(tx, by, order, { rail, reason, charge, bank });
    }
  }

  async #changeRefund(tx: Transaction, by: By, order: Order, applied: Applied): Promise<void> {
    const { refunds } = this.#options;
    const { attempt, event, bank = attempt.rail } = applied;
    const { refundId } = attempt;
    if (!refundId) throw new Error(`attempt ${attempt.attemptId} is no refund of an order`);
    if (event === 'pay') {
      await refunds.settleRefund(tx, by, order, { refundId, bank, paid: attempt.amount });
    } else if (event === 'return' && attempt.state === 'PAID') {
      const returned = { refundId, movement: attempt.attemptId, bank, amount: attempt.amount };
      await refunds.returnRefund(tx, by, order, returned);
    } else if (event === 'accept') {
      await refunds.submitRefund(tx, by, order, refundId);
    } else {
      await refunds.failRefund(tx, by, order, { refundId, reason: 'refund_rejected' });
    }
  }

  async #store(
    tx: Transaction,
    attempt: Attempt,
    { rail, report, bank: paying, recorded, isHandedIn = false }: ReceivedReport,
    { decision, key, order }: Stored,
  ): Promise<void> {
    const { outcome } = decision;
    const detail = outcome === 'contradictory' ? decision.detail : undefined;
    const sealedRaw = key && sealRaw(key, attempt, report.raw);
    const bank = paying ?? (attempt.orderId === undefined ? attempt.bank : undefined);
    // Each outcome of a payout is one change of its order.
    const isBooked = outcome === 'applied' && decision.event !== 'accept' && attempt.direction === 'payout';
    const orderVersion = isBooked && order ? order.version + 1 : undefined;
    const stored = { rail, report, attempt, outcome, detail, sealedRaw, bank, orderVersion, isHandedIn };
    // Another payment may have got the same report at this moment: only one of them keeps what it changed.
    if (!(await addReport(tx, { ...stored, recordedBy: recorded?.by })))
      throw bankReferenceUsed('This bank reference was recorded before.');
    const { pickupCode } = report;
    if (key && pickupCode !== undefined && outcome !== 'contradictory')
      await store.savePickupCode(tx, attempt, sealPickupCode(key, attempt, pickupCode));
  }

  async #storeUnmatched(tx: Transaction, { rail, report }: ReceivedReport): Promise<ReportOutcome> {
    if (await isStored(tx, instanceTenant, rail, report.reportId)) return 'old';
    const sealedRaw = sealUnmatchedRaw(this.#options.reportKey, rail, report.reportId, report.raw);
    const detail = 'no attempt has this reference';
    const isNew = await addReport(tx, { rail, report, attempt: undefined, outcome: 'unmatched', detail, sealedRaw });
    return isNew ? 'unmatched' : 'old';
  }
}

interface Stored {
  readonly decision: Decision;
  readonly key: Buffer | undefined;
  readonly order: Order | undefined;
}

type Applied = ReceivedReport & {
  readonly attempt: Attempt;
  /** Undefined for money in suspense. */
  readonly order: Order | undefined;
} & Extract<Decision, { outcome: 'applied' }>;

/** What moves on a bank account is a line there. Throws `bank_reference_used`. */
async function takeLine(tx: Transaction, { attempt, event, report, bank, source }: Applied): Promise<void> {
  const moved = bankMovementOf(attempt, event, report, bank);
  if (!moved) return;
  const bookedOn = (report.occurredAt ?? attempt.changedAt).toISOString().slice(0, 10);
  const line = { ...moved, currency: attempt.amount.currency, bookedOn, endToEndId: attempt.reference } as const;
  // Rails have ids of their own for each merchant, and a line belongs to the instance.
  const reference = source === 'hand' ? report.raw : `${attempt.reference}.${report.kind}`;
  const reported = { ...line, reference, source: source === 'hand' ? 'hand' : 'rail' } as const;
  await takeBankLine(tx, reported, `payout:${attempt.attemptId}`);
}

/** Undefined for a reference that no attempt of this rail has. */
async function findAttempt(tx: Transaction, rail: string, reference: string): Promise<Attempt | undefined> {
  const owner = ownerOfReference(reference);
  if (owner === undefined) return undefined;
  const attempt = await store.findAttemptByReference(tx, owner, reference);
  return attempt?.rail === rail ? attempt : undefined;
}

function nothing({ currency }: Amount): Amount {
  return amount(currency, 0n);
}
