/** Receives reports: each is stored once, changes its attempt and its order once, or waits for an operator. */
import type { By } from '../../caller.js';
import { instanceTenant } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { MovementService } from '../../orders/movement-service.js';
import type { Order } from '../../orders/order.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type Attempt, orderOfReference } from '../attempt.js';
import type { Rail, Report } from '../rail.js';
import { sealPickupCode, sealRaw, sealUnmatchedRaw } from '../sealed.js';
import { askInSeconds } from '../sending/schedule.js';
import * as store from '../store.js';
import { statusReasonOf } from './reasons.js';
import { boundedReport, type Decision, decideReport, type ReportSource } from './report-rules.js';
import { addReport, isStored, type ReportOutcome } from './report-store.js';

export interface ReportOptions {
  readonly users: UserService;
  readonly movements: MovementService;
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
}

export class ReportService {
  constructor(readonly options: ReportOptions) {}

  /**
   * Locks the user, the order and the attempt. A report that was received before changes nothing. Writes rows of one
   * merchant only, so each report needs a transaction of its own.
   */
  async receive(tx: Transaction, by: By, given: ReceivedReport): Promise<ReportOutcome> {
    const received = { ...given, report: boundedReport(given.report) };
    const { report, rail } = received;
    const found = await findAttempt(tx, rail, report.reference);
    if (!found) return this.#storeUnmatched(tx, received);
    await this.options.users.lock(tx, found.merchantId, found.userId);
    const order = await this.options.movements.lock(tx, found);
    const attempt = await store.lockAttempt(tx, found);
    if (!order || !attempt) throw new Error(`attempt ${found.attemptId} has no order`);
    if (await isStored(tx, attempt.merchantId, rail, report.reportId)) return 'old';
    const decision = decideReport(attempt, order.state, report, received.source);
    await this.#store(tx, attempt, received, decision);
    if (decision.outcome === 'applied')
      await this.#apply(tx, by, { ...received, attempt, order, ...decision });
    return decision.outcome;
  }

  async #apply(tx: Transaction, by: By, applied: Applied): Promise<void> {
    const { attempt, order, to } = applied;
    const rail = this.options.rails.get(attempt.rail);
    const saved = await store.saveState(tx, attempt, to, rail && askInSeconds(rail, to, 0));
    if (!saved) throw new Error(`attempt ${attempt.attemptId} changed under its lock`);
    if (attempt.direction === 'payout') await this.#changePayout(tx, by, order, applied);
    else await this.#changeRefund(tx, by, order, applied);
  }

  async #changePayout(tx: Transaction, by: By, order: Order, applied: Applied): Promise<void> {
    const { movements } = this.options;
    const { attempt, event, report, bank } = applied;
    const { rail } = attempt;
    const reason = statusReasonOf('payout', report.kind, report.reason);
    const charge = report.charge ?? nothing(attempt.amount);
    if (event === 'pay') {
      await movements.completePayout(tx, by, order, bank === undefined ? undefined : { rail, bank, charge });
    } else if (event === 'return' && attempt.state === 'PAID') {
      const to = bank === undefined ? { rail } : { movement: attempt.attemptId, bank };
      await movements.returnPayout(tx, by, order, { to, charge, reason });
    } else if (event !== 'accept') {
      await movements.failPayout(tx, by, order, { rail, reason, charge });
    }
  }

  async #changeRefund(tx: Transaction, by: By, order: Order, applied: Applied): Promise<void> {
    const { movements } = this.options;
    const { attempt, event, bank = attempt.rail } = applied;
    if (event === 'pay') {
      await movements.settleRefund(tx, by, order, { bank, paid: attempt.amount });
    } else if (event === 'return' && attempt.state === 'PAID') {
      const returned = { movement: attempt.attemptId, bank, amount: attempt.amount };
      await movements.returnRefund(tx, by, order, returned);
    } else if (event !== 'accept') {
      await movements.failRefund(tx, by, order, 'refund_rejected');
    }
  }

  async #store(
    tx: Transaction,
    attempt: Attempt,
    { rail, report, bank }: ReceivedReport,
    decision: Decision,
  ): Promise<void> {
    const key = await this.options.users.retainedKey(tx, attempt.merchantId, attempt.userId);
    const { outcome } = decision;
    const detail = outcome === 'contradictory' ? decision.detail : undefined;
    const sealedRaw = key && sealRaw(key, attempt, report.raw);
    await addReport(tx, { rail, report, attempt, outcome, detail, sealedRaw, bank });
    const { pickupCode } = report;
    if (key && pickupCode !== undefined && outcome !== 'contradictory')
      await store.savePickupCode(tx, attempt, sealPickupCode(key, attempt, pickupCode));
  }

  async #storeUnmatched(tx: Transaction, { rail, report }: ReceivedReport): Promise<ReportOutcome> {
    if (await isStored(tx, instanceTenant, rail, report.reportId)) return 'old';
    const sealedRaw = sealUnmatchedRaw(this.options.reportKey, rail, report.reportId, report.raw);
    const detail = 'no attempt has this reference';
    await addReport(tx, { rail, report, attempt: undefined, outcome: 'unmatched', detail, sealedRaw });
    return 'unmatched';
  }
}

type Applied = ReceivedReport & {
  readonly attempt: Attempt;
  readonly order: Order;
} & Extract<Decision, { outcome: 'applied' }>;

/** Undefined for a reference that no attempt of this rail has. */
async function findAttempt(tx: Transaction, rail: string, reference: string): Promise<Attempt | undefined> {
  const ref = orderOfReference(reference);
  const attempt = ref && (await store.findAttemptByReference(tx, ref.merchantId, reference));
  return attempt?.rail === rail ? attempt : undefined;
}

function nothing({ currency }: Amount): Amount {
  return amount(currency, 0n);
}
