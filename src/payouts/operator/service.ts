/** The verbs of operators on payouts: list, read, and settle reports that changed nothing. */
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { merchantOfPublicId, publicId, type TenantId, tenantOfPublicId } from '../../ids.js';
import { clientIdsOf, getMerchant } from '../../merchants/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Attempt, AttemptRef } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import type { Instruction } from '../rail.js';
import { payoutNotFound } from '../refusals.js';
import {
  findTenantOfReport,
  listReportsOf,
  listWaitingReports,
  type StoredReport,
  settleReport,
  type WaitingReport,
} from '../reports/report-store.js';
import { openContent } from '../sealed.js';
import * as store from '../store.js';
import { type AttemptFilter, type AttemptPlace, listAttempts } from './payout-listing-store.js';

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
  readonly merchant: string | undefined;
  /** The id of an order or suspense record: all its payouts and refunds, whatever else is asked for. */
  readonly order: string | undefined;
  readonly after: AttemptPlace | undefined;
  readonly limit: number;
}

export interface SettledReport {
  readonly rail: string;
  readonly reportId: string;
  /** What the operator found. */
  readonly note: string;
}

export class PayoutOperatorService {
  readonly #keys: AttemptKeys;

  constructor(keys: AttemptKeys) {
    this.#keys = keys;
  }

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
    const file = await this.file(tx, refOf(id));
    const { attempt } = file;
    await recordChange(tx, by, {
      merchantId: attempt.merchantId,
      action: 'payout.looked_at',
      subject: `payout:${attempt.attemptId}`,
    });
    return file;
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
    const tenant = await this.tenantOfReport(tx, rail, reportId);
    if (!(await settleReport(tx, tenant, { rail, reportId }, operatorOf(by)))) throw reportNotFound();
    await recordChange(tx, by, {
      merchantId: tenant,
      action: 'payout.report_settled',
      subject: `report:${rail}.${reportId}`,
      details: { note },
    });
  }

  /** Throws `payout_not_found`. */
  async file(database: Queryable, ref: AttemptRef): Promise<AttemptFile> {
    const attempt = await store.findAttempt(database, ref);
    if (!attempt) throw payoutNotFound();
    const [shown] = await listed(database, [attempt]);
    if (!shown) throw payoutNotFound();
    const key = await this.#keys.of(database, attempt);
    const content = key && openContent(key, attempt, await store.findContent(database, attempt));
    return {
      ...shown,
      instruction: content && (JSON.parse(content.toString()) as Instruction),
      reports: await listReportsOf(database, attempt),
    };
  }
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
  const owners = attempts.map(({ merchantId }) => merchantId);
  const clientIds = await clientIdsOf(database, owners);
  return attempts.map((attempt) => ({ attempt, clientId: clientIds.get(attempt.merchantId) }));
}

export function refOf(id: string): AttemptRef {
  const attemptId = publicId('att', id);
  if (!attemptId) throw payoutNotFound();
  return { attemptId, merchantId: tenantOfPublicId(attemptId) };
}

function reportNotFound(): RemesaError {
  return new RemesaError('not_found', 'report_not_found', 'No such report waits for an operator.');
}
