/**
 * Payments of a rail that leave together in files: the room of the bank makes the files, and asks here which payments
 * wait, whether they may still leave, and what they say. Each transaction writes rows of one merchant.
 */
import type {
  BatchedPayments,
  CheckedPayment,
  PaymentNews,
  PaymentRef,
  WaitingPayment,
} from '../../bank/batches/ports.js';
import { findAltered } from '../../changes/service.js';
import { storedPublicId, type TenantId } from '../../ids.js';
import type { PaymentOrder } from '../../iso20022/payment-message.js';
import type { Log } from '../../log.js';
import type { ExitVerdict } from '../../orders/order/ports.js';
import type { Database } from '../../postgres/database.js';
import { type Attempt, type AttemptRef, digestedAttempt, type SentMessage } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import { findPauseOf } from '../pauses/pause-store.js';
import type { Instruction, Rail, Report } from '../rail.js';
import { receiveAll } from '../reports/receiving.js';
import type { ReportService } from '../reports/report-service.js';
import { openContent } from '../sealed.js';
import type { ExitChecks } from '../sending/exit-checks.js';
import { claimAttempts, listMerchantsWithDue } from '../sending/lease-store.js';
import { leaseSeconds } from '../sending/schedule.js';
import * as store from '../store.js';
import { lookAgainIn, sendInMessage } from './batched-store.js';

export interface BatchedOptions {
  readonly database: Database;
  readonly keys: AttemptKeys;
  readonly rail: Rail;
  readonly reports: ReportService;
  readonly exitChecks: ExitChecks;
  readonly log: Log;
  /** Names this process. */
  readonly holder: string;
}

const merchantsRead = 1000;
const attemptsAtOnce = 200;

export class BatchedPayouts implements BatchedPayments {
  readonly #options: BatchedOptions;

  constructor(options: BatchedOptions) {
    this.#options = options;
  }

  async claimWaiting(): Promise<WaitingPayment[]> {
    const { database, rail, holder } = this.#options;
    const rails = [rail.name];
    const lease = { holder, seconds: leaseSeconds };
    const waiting: WaitingPayment[] = [];
    for (const merchantId of await listMerchantsWithDue(database, rails, merchantsRead)) {
      const attempts = await claimAttempts(database, merchantId, { rails, atMost: attemptsAtOnce, lease });
      const orders = await this.#ordersOf(attempts);
      waiting.push(...attempts.map((attempt) => waitingOf(attempt, orders.get(attempt.attemptId))));
    }
    return waiting;
  }

  lookAgainIn(payment: PaymentRef, seconds: number): Promise<void> {
    return this.#options.database.transaction((tx) => lookAgainIn(tx, refOf(payment), seconds));
  }

  /** Payments of a pause or correction wait; one that was withdrawn is answered like one that has left. */
  async check(payments: readonly PaymentRef[]): Promise<CheckedPayment[]> {
    const { database, exitChecks } = this.#options;
    const checked: CheckedPayment[] = [];
    for (const [merchantId, refs] of byMerchant(payments)) {
      const ids = refs.map(({ attemptId }) => attemptId);
      const read = async () =>
        (await store.listAttemptsByIds(database, merchantId, ids)).filter(({ state }) => state === 'READY');
      const verdicts = await exitChecks.verdictsOf(await read());
      const verdictOf = new Map([...verdicts].map(([{ attemptId }, verdict]) => [attemptId, verdict]));
      // What was withdrawn is not READY any more.
      const left = await read();
      const untouched = await this.#untouchedOf(merchantId, left);
      for (const attempt of left) {
        const isPaused = (await findPauseOf(database, attempt)) !== undefined;
        const verdict: ExitVerdict =
          isPaused || !untouched.has(attempt) ? 'wait' : (verdictOf.get(attempt.attemptId) ?? 'wait');
        if (verdict === 'withdrawn') continue;
        const { attemptId, version } = attempt;
        checked.push({ merchantId, attemptId, version, mayLeave: verdict === 'pass' });
      }
    }
    return checked;
  }

  async send(payment: PaymentRef & { readonly version: number }, message: SentMessage): Promise<boolean> {
    const { version } = payment;
    return this.#options.database.transaction((tx) => sendInMessage(tx, { ...refOf(payment), version }, message));
  }

  async ordersOf(payments: readonly PaymentRef[]): Promise<ReadonlyMap<string, PaymentOrder>> {
    const orders = new Map<string, PaymentOrder>();
    for (const [merchantId, refs] of byMerchant(payments)) {
      const ids = refs.map(({ attemptId }) => attemptId);
      const attempts = await store.listAttemptsByIds(this.#options.database, merchantId, ids);
      for (const [attemptId, order] of await this.#ordersOf(attempts)) orders.set(attemptId, order);
    }
    return orders;
  }

  async listUndebited(payments: readonly PaymentRef[]): Promise<ReadonlySet<string>> {
    const undebited = new Set<string>();
    for (const [merchantId, refs] of byMerchant(payments)) {
      const ids = refs.map(({ attemptId }) => attemptId);
      for (const { attemptId, state } of await store.listAttemptsByIds(this.#options.database, merchantId, ids))
        if (state === 'ACCEPTED' || state === 'UNKNOWN') undebited.add(attemptId);
    }
    return undebited;
  }

  async tell(news: readonly PaymentNews[]): Promise<boolean> {
    const reports = news.map(({ reportId, reference, kind, reason, raw }): Report => {
      const report = { reportId, reference, kind, raw };
      return reason === undefined ? report : { ...report, reason };
    });
    const results = await receiveAll(this.#options, this.#options.rail, reports);
    return results.every(({ outcome }) => outcome !== 'failed');
  }

  async #untouchedOf(merchantId: TenantId, attempts: readonly Attempt[]): Promise<ReadonlySet<Attempt>> {
    const rows = attempts.map((attempt) => ({ ...digestedAttempt(attempt), attempt }));
    const altered = await this.#options.database.transaction((tx) => findAltered(tx, merchantId, rows));
    const alteredAttempts = altered.map(({ attempt }) => attempt);
    return new Set(attempts.filter((attempt) => !alteredAttempts.includes(attempt)));
  }

  /** Attempts of one merchant. Those whose key was destroyed, or that no bank can make, are left out. */
  async #ordersOf(attempts: readonly Attempt[]): Promise<Map<string, PaymentOrder>> {
    const { database, keys, rail } = this.#options;
    const opened = await keys.list(database, attempts);
    const orders = new Map<string, PaymentOrder>();
    for (const attempt of attempts) {
      const key = opened.get(attempt.attemptId);
      if (!key) continue;
      const content = openContent(key, attempt, await store.findContent(database, attempt));
      const order = rail.paymentOrder?.(JSON.parse(content.toString()) as Instruction);
      if (order) orders.set(attempt.attemptId, order);
    }
    return orders;
  }
}

function waitingOf(attempt: Attempt, order: PaymentOrder | undefined): WaitingPayment {
  const { merchantId, attemptId, reference, direction, amount } = attempt;
  const bank = attempt.orderId === undefined ? attempt.bank : undefined;
  return { merchantId, attemptId, reference, direction, amount, order, bank };
}

function refOf({ merchantId, attemptId }: PaymentRef): AttemptRef {
  return { merchantId, attemptId: storedPublicId('att', attemptId) };
}

function byMerchant(payments: readonly PaymentRef[]): Map<TenantId, AttemptRef[]> {
  const byId = new Map<TenantId, AttemptRef[]>();
  for (const payment of payments)
    byId.set(payment.merchantId, [...(byId.get(payment.merchantId) ?? []), refOf(payment)]);
  return byId;
}
