/** The verbs of operators on payouts: list, read, and record what happened to a payment. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, merchantOfPublicId, publicId, type TenantId, tenantOfPublicId } from '../../ids.js';
import { getMerchant, listClientIdsOf } from '../../merchants/service.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { amountFromLiteral } from '../../money/literal.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Attempt, AttemptRef } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import type { Instruction, Rail, Report } from '../rail.js';
import type { ReportService } from '../reports/report-service.js';
import {
  findTenantOfReport,
  isStored,
  listReportsOf,
  listWaitingReports,
  type StoredReport,
  settleReport,
  type WaitingReport,
} from '../reports/report-store.js';
import { openContent } from '../sealed.js';
import * as store from '../store.js';
import type { AttemptFilter, AttemptPlace } from './payout-listing-store.js';
import { listAttempts } from './payout-listing-store.js';
import { addSum, lockSum } from './recorded-sum-store.js';

export interface OperatorOptions {
  readonly keys: AttemptKeys;
  readonly reports: ReportService;
  readonly rails: ReadonlyMap<string, Rail>;
  /** How much an operator may record on a day without a second person, by currency. Absent: nothing. */
  readonly recordedPerDay: ReadonlyMap<CurrencyCode, Amount>;
}

export interface ListedAttempt {
  readonly attempt: Attempt;
  /** The client id of the merchant; undefined for the instance. */
  readonly clientId: string | undefined;
}

export interface AttemptFile extends ListedAttempt {
  /** Undefined after the user's key was destroyed. */
  readonly instruction: Instruction | undefined;
  readonly reports: readonly StoredReport[];
}

export interface AttemptQuery extends Omit<AttemptFilter, 'merchantId'> {
  /** The client id of a merchant. */
  readonly merchant: string | undefined;
  /** The id of an order or suspense record: all its payouts and refunds, whatever else is asked for. */
  readonly order: string | undefined;
  readonly after: AttemptPlace | undefined;
  readonly limit: number;
}

/** What an operator saw at the bank. */
export interface Recording {
  readonly kind: Extract<Report['kind'], 'accepted' | 'paid' | 'rejected' | 'returned'>;
  readonly version: number;
  /** Both are absent before the bank was instructed. */
  readonly bankReference: string | undefined;
  readonly bookedAt: Date | undefined;
  /** The place of the bank account in the ledger. */
  readonly bank: string | undefined;
  /** As a decimal, in the currency of the payment. */
  readonly charge: string | undefined;
  readonly reason: string | undefined;
}

export interface SettledReport {
  readonly rail: string;
  readonly reportId: string;
  /** What the operator found. */
  readonly note: string;
}

export class PayoutOperatorService {
  constructor(readonly options: OperatorOptions) {}

  /** Throws `payout_not_found` when the id is not that of an attempt. */
  async merchantOf(id: string): Promise<TenantId> {
    return refOf(id).merchantId;
  }

  /** `next` is undefined when the page is the last. Throws `merchant_not_found`. */
  async list(
    database: Queryable,
    { merchant, order, after, limit, ...filter }: AttemptQuery,
  ): Promise<{ attempts: ListedAttempt[]; next: AttemptPlace | undefined }> {
    if (order !== undefined) return { attempts: await ofOrder(database, order), next: undefined };
    const merchantId = merchant === undefined ? undefined : (await getMerchant(database, merchant)).merchantId;
    const found = await listAttempts(database, { ...filter, merchantId }, after, limit + 1);
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1) : undefined;
    return { attempts: await listed(database, page), next };
  }

  /** Each reading is audited, because it shows a whole account. Throws `payout_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<AttemptFile> {
    const file = await this.#file(tx, refOf(id));
    const { attempt } = file;
    await recordChange(tx, by, {
      merchantId: attempt.merchantId,
      action: 'payout.looked_at',
      subject: `payout:${attempt.attemptId}`,
    });
    return file;
  }

  /** What a recording is about; undefined when the operator's sum of the day is within the limit. */
  async reviewRecording(tx: Transaction, by: By, id: string): Promise<ApprovalSubject | undefined> {
    if (by.actor.kind !== 'operator') throw new Error('only operators record payouts');
    const { amount, attemptId, version } = await this.#find(tx, refOf(id));
    const subject = { subject: `payout:${attemptId}`, version: String(version) };
    // A second person has been asked, whatever the sum of that person is.
    if (by.approval) return subject;
    const allowed = this.options.recordedPerDay.get(amount.currency)?.minor ?? 0n;
    const recorded = await lockSum(tx, by.actor.operatorId, amount.currency);
    return recorded + amount.minor <= allowed ? undefined : subject;
  }

  /**
   * Records what happened, as a report by hand. Throws `payout_not_found`, `payout_changed` when the version is another,
   * `payout_not_recordable` when the state does not allow it, `bank_reference_used`, and `invalid_fields`.
   */
  async record(tx: Transaction, by: By, id: string, recording: Recording): Promise<AttemptFile> {
    const attempt = await this.#find(tx, refOf(id));
    if (attempt.version !== recording.version) throw changed(attempt);
    this.#requireRecordable(attempt, recording);
    const report = reportOf(attempt, recording);
    await this.#requireNewReference(tx, attempt, report.reportId);
    const { rail } = attempt;
    const outcome = await this.options.reports.receive(tx, by, {
      rail,
      report,
      source: 'hand',
      bank: recording.bank,
    });
    if (outcome !== 'applied') throw notRecordable(attempt);
    if (recording.kind !== 'accepted' && by.actor.kind === 'operator' && !by.approval)
      await addSum(tx, by.actor.operatorId, attempt.amount);
    await recordChange(tx, by, {
      merchantId: attempt.merchantId,
      action: `payout.recorded_${recording.kind}`,
      subject: `payout:${attempt.attemptId}`,
      fromState: attempt.state,
    });
    return this.#file(tx, attempt);
  }

  /** Reports that changed nothing and wait for an operator, the oldest first. */
  waitingReports(database: Queryable, atMost: number): Promise<WaitingReport[]> {
    return listWaitingReports(database, atMost);
  }

  /** Whose report waits. Throws `report_not_found`. */
  async tenantOfReport(database: Queryable, rail: string, reportId: string): Promise<TenantId> {
    const tenant = await findTenantOfReport(database, rail, reportId);
    if (tenant === undefined) throw reportNotFound();
    return tenant;
  }

  /** An operator has examined a report that changed nothing: it is no task any more. Throws `report_not_found`. */
  async settle(tx: Transaction, by: By, settled: SettledReport): Promise<void> {
    const { rail, reportId, note } = settled;
    if (by.actor.kind !== 'operator') throw new Error('only operators settle reports');
    const tenant = await this.tenantOfReport(tx, rail, reportId);
    if (!(await settleReport(tx, tenant, { rail, reportId }, by.actor.operatorId))) throw reportNotFound();
    await recordChange(tx, by, {
      merchantId: tenant,
      action: 'payout.report_settled',
      subject: `report:${rail}.${reportId}`,
      details: { note },
    });
  }

  /** A payment that the worker may send at any moment is not recorded by hand. */
  #requireRecordable(attempt: Attempt, { kind, bank, charge }: Recording): void {
    // Nobody sends for a rail that was removed from the settings.
    const isAutomatic = this.options.rails.get(attempt.rail)?.capabilities.submission === 'automatic';
    const isOnItsWay = attempt.state === 'READY' || attempt.state === 'SENDING';
    if (isAutomatic && isOnItsWay) throw notRecordable(attempt);
    if (attempt.direction !== 'refund') return;
    if (bank === undefined && (kind === 'paid' || kind === 'returned'))
      throw wrongField('bank', 'required', 'is required for a refund');
    if (charge) throw wrongField('charge', 'not_allowed', 'book the charge on a refund as a bank fee');
  }

  async #requireNewReference(tx: Transaction, attempt: Attempt, reportId: string): Promise<void> {
    const { merchantId, rail } = attempt;
    if (!(await isStored(tx, merchantId, rail, reportId))) return;
    const message = 'This bank reference was recorded before.';
    throw new RemesaError('conflict', 'bank_reference_used', message);
  }

  async #find(database: Queryable, ref: AttemptRef): Promise<Attempt> {
    const attempt = await store.findAttempt(database, ref);
    if (!attempt) throw payoutNotFound();
    return attempt;
  }

  async #file(database: Queryable, ref: AttemptRef): Promise<AttemptFile> {
    const attempt = await this.#find(database, ref);
    const [shown] = await listed(database, [attempt]);
    if (!shown) throw payoutNotFound();
    const key = await this.options.keys.of(database, attempt);
    const content = key && openContent(key, attempt, await store.findContent(database, attempt));
    return {
      ...shown,
      instruction: content && (JSON.parse(content.toString()) as Instruction),
      reports: await listReportsOf(database, attempt),
    };
  }
}

/** The bank's reference makes the report unique: the same line of a statement is recorded once. Our own stands for it before. */
export function reportOf({ reference, amount }: Attempt, recording: Recording): Report {
  const { kind, bankReference = reference, bookedAt, charge: chargeText, reason } = recording;
  const charge = chargeText === undefined ? undefined : readCharge(amount, chargeText);
  return {
    reportId: `${kind}:${bankReference}`,
    reference,
    kind,
    ...(bookedAt ? { occurredAt: bookedAt } : {}),
    ...(kind === 'paid' ? { amount } : {}),
    ...(charge ? { charge } : {}),
    ...(reason === undefined ? {} : { reason }),
    raw: bankReference,
  };
}

/** Throws `invalid_fields`. */
function readCharge({ currency, minor }: Amount, text: string): Amount {
  const charge = amountFromLiteral(currency, text);
  if ('fault' in charge) throw wrongField('charge', charge.fault, charge.message);
  if (charge.minor > minor) throw wrongField('charge', 'too_large', 'must not exceed the payment');
  return charge;
}

/** Of an order or of a suspense record. Empty when there is none with this id. */
async function ofOrder(database: Queryable, id: string): Promise<ListedAttempt[]> {
  const suspenseId = publicId('sus', id);
  if (suspenseId) {
    const ref = { suspenseId, ownerId: tenantOfPublicId(suspenseId) };
    return listed(database, await store.listAttemptsOfSuspense(database, ref));
  }
  const orderId = publicId('ord', id);
  const merchantId = orderId && merchantOfPublicId(orderId);
  if (!orderId || !merchantId) return [];
  return listed(database, await store.listAttemptsOfOrder(database, { merchantId, orderId }));
}

async function listed(database: Queryable, attempts: readonly Attempt[]): Promise<ListedAttempt[]> {
  if (attempts.length === 0) return [];
  const ids = attempts.flatMap(({ merchantId }) => (merchantId === instanceTenant ? [] : [merchantId]));
  const merchants = await listClientIdsOf(database, [...new Set(ids)]);
  const clientIds = new Map<TenantId, string>(merchants.map(({ merchantId, clientId }) => [merchantId, clientId]));
  return attempts.map((attempt) => ({ attempt, clientId: clientIds.get(attempt.merchantId) }));
}

export function refOf(id: string): AttemptRef {
  const attemptId = publicId('att', id);
  if (!attemptId) throw payoutNotFound();
  return { attemptId, merchantId: tenantOfPublicId(attemptId) };
}

export function payoutNotFound(): RemesaError {
  return new RemesaError('not_found', 'payout_not_found', 'There is no such payout.');
}

function reportNotFound(): RemesaError {
  return new RemesaError('not_found', 'report_not_found', 'No such report waits for an operator.');
}

export function changed({ state, version }: Attempt): RemesaError {
  const message = 'The payout has changed since you read it.';
  return new RemesaError('conflict', 'payout_changed', message, { members: { state, version } });
}

function notRecordable({ state, version }: Attempt): RemesaError {
  const message = `This cannot be recorded for a payout that is ${state}.`;
  return new RemesaError('conflict', 'payout_not_recordable', message, { members: { state, version } });
}

function wrongField(field: string, code: string, message: string): RemesaError {
  return new RemesaError('invalid', 'invalid_fields', `${field}: ${message}`, {
    errors: [{ field, code, message }],
  });
}
