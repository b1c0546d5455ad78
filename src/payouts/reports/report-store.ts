/** SQL on reports. A report that belongs to nothing we know is stored under the instance. */
import { instanceTenant, type OperatorId, storedPublicId, type TenantId, tenantId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Attempt, AttemptRef } from '../attempt.js';
import type { Report, ReportKind } from '../rail.js';
import type { Decision } from './report-rules.js';

/** Stored once: the same report again changes nothing. */
const insertReport = statement<{ report_id: string }>(
  'report-store.insert',
  `INSERT INTO payout_reports (merchant_id, rail, report_id, attempt_id, reference, kind, currency, amount_minor,
                               charge_minor, reason, sealed_raw, outcome, detail, occurred_at, received_at, bank)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, statement_timestamp(), $15)
   ON CONFLICT (merchant_id, rail, report_id) DO NOTHING RETURNING report_id`,
);
const findOne = statement<{ report_id: string }>(
  'report-store.find',
  'SELECT report_id FROM payout_reports WHERE merchant_id = $1 AND rail = $2 AND report_id = $3',
);
const listByAttempt = statement<ReportRow>(
  'report-store.list-of-attempt',
  `SELECT rail, report_id, reference, kind, currency, amount_minor, charge_minor, reason, outcome, detail, occurred_at,
          received_at
     FROM payout_reports WHERE merchant_id = $1 AND attempt_id = $2 ORDER BY received_at, report_id`,
);
const listWaiting = statement<ReportRow & { attempt_id: string | null }>(
  'report-store.list-waiting',
  `SELECT rail, report_id, attempt_id, reference, kind, currency, amount_minor, charge_minor, reason, outcome, detail,
          occurred_at, received_at
     FROM payout_reports WHERE outcome IN ('contradictory', 'unmatched') AND settled_at IS NULL
    ORDER BY received_at, rail, report_id LIMIT $1`,
);
const listAttempts = statement<{ merchant_id: bigint; attempt_id: string }>(
  'report-store.list-attempts',
  `SELECT DISTINCT merchant_id, attempt_id FROM payout_reports
    WHERE report_id = ANY ($1) AND attempt_id IS NOT NULL LIMIT $2`,
);
const settle = statement<{ reference: string }>(
  'report-store.settle',
  `UPDATE payout_reports SET settled_at = statement_timestamp(), settled_by = $4
    WHERE merchant_id = $1 AND rail = $2 AND report_id = $3 AND settled_at IS NULL
      AND outcome IN ('contradictory', 'unmatched')
   RETURNING reference`,
);
/** What operators record has the kind before the reference of the bank. */
const withdraw = statement(
  'report-store.withdraw-recorded',
  `UPDATE payout_reports SET report_id = report_id || '#' || $3::text, outcome = 'old', detail = 'it was recorded by mistake'
    WHERE merchant_id = $1 AND attempt_id = $2 AND kind = $4 AND outcome = 'applied' AND report_id LIKE $4::text || ':%'`,
);
const findTenant = statement<{ merchant_id: bigint }>(
  'report-store.find-tenant',
  `SELECT merchant_id FROM payout_reports
    WHERE rail = $1 AND report_id = $2 AND outcome IN ('contradictory', 'unmatched') AND settled_at IS NULL LIMIT 1`,
);

interface ReportRow {
  rail: string;
  report_id: string;
  reference: string;
  kind: ReportKind;
  currency: CurrencyCode | null;
  amount_minor: bigint | null;
  charge_minor: bigint | null;
  reason: string | null;
  outcome: ReportOutcome;
  detail: string | null;
  occurred_at: Date | null;
  received_at: Date;
}

export type ReportOutcome = Decision['outcome'] | 'unmatched';

/** A report as it is stored, without what the rail sent. */
export interface StoredReport extends Omit<Report, 'raw' | 'pickupCode'> {
  readonly outcome: ReportOutcome;
  /** Why it changed nothing. */
  readonly detail: string | undefined;
  readonly receivedAt: Date;
}

export interface NewReport {
  readonly rail: string;
  readonly report: Report;
  /** Undefined for a report that belongs to nothing we know. */
  readonly attempt: Attempt | undefined;
  readonly outcome: ReportOutcome;
  readonly detail: string | undefined;
  /** Undefined after the user's key was destroyed. */
  readonly sealedRaw: Buffer | undefined;
  /** The bank account on which an operator recorded the movement. */
  readonly bank?: string | undefined;
}

/** Returns false when the report is stored already. */
export async function addReport(tx: Transaction, added: NewReport): Promise<boolean> {
  const { rail, report, attempt, outcome, detail, sealedRaw } = added;
  const money = report.amount ?? report.charge;
  const rows = await tx.query(insertReport, [
    ...[attempt?.merchantId ?? instanceTenant, rail, report.reportId, attempt?.attemptId ?? null],
    ...[report.reference, report.kind, money?.currency ?? null, report.amount?.minor ?? null],
    ...[report.charge?.minor ?? null, report.reason ?? null, sealedRaw ?? null, outcome, detail ?? null],
    ...[report.occurredAt ?? null, added.bank ?? null],
  ]);
  return rows.length > 0;
}

/** Whether the report was received before. */
export async function isStored(
  database: Queryable,
  merchant: TenantId,
  rail: string,
  reportId: string,
): Promise<boolean> {
  return (await database.query(findOne, [merchant, rail, reportId])).length > 0;
}

/** In the order in which they came. */
export async function listReportsOf(
  database: Queryable,
  { merchantId, attemptId }: AttemptRef,
): Promise<StoredReport[]> {
  return (await database.query(listByAttempt, [merchantId, attemptId])).map(toReport);
}

/** A report that changed nothing and that no operator has examined. */
export interface WaitingReport extends StoredReport {
  readonly rail: string;
  readonly attemptId: string | undefined;
}

/** The oldest first. */
export async function listWaitingReports(database: Queryable, atMost: number): Promise<WaitingReport[]> {
  const rows = await database.query(listWaiting, [atMost]);
  return rows.map((row) => ({ ...toReport(row), rail: row.rail, attemptId: row.attempt_id ?? undefined }));
}

/** Of all merchants: a rail may use an id that another rail has used. */
export async function listAttemptsOfReport(
  database: Queryable,
  reportIds: readonly string[],
  atMost: number,
): Promise<AttemptRef[]> {
  const rows = await database.query(listAttempts, [reportIds, atMost]);
  return rows.map((row) => ({
    merchantId: tenantId(row.merchant_id),
    attemptId: storedPublicId('att', row.attempt_id),
  }));
}

/**
 * What an operator recorded did not happen: the reference of the bank is free for the payment that it belongs to. Reports of
 * rails keep theirs.
 */
export async function withdrawRecorded(
  tx: Transaction,
  { merchantId: merchant, attemptId, version }: Attempt,
  kind: 'paid' | 'returned',
): Promise<void> {
  await tx.query(withdraw, [merchant, attemptId, version, kind]);
}

/** Whose report waits for an operator; undefined when none does. */
export async function findTenantOfReport(
  database: Queryable,
  rail: string,
  reportId: string,
): Promise<TenantId | undefined> {
  const [row] = await database.query(findTenant, [rail, reportId]);
  return row && tenantId(row.merchant_id);
}

/** Returns false when it does not wait for an operator any more. */
export async function settleReport(
  tx: Transaction,
  merchant: TenantId,
  { rail, reportId }: { readonly rail: string; readonly reportId: string },
  operator: OperatorId,
): Promise<boolean> {
  return (await tx.query(settle, [merchant, rail, reportId, operator])).length > 0;
}

function toReport(row: ReportRow): StoredReport {
  const currency = currencyCode(row.currency ?? undefined);
  return {
    reportId: row.report_id,
    reference: row.reference,
    kind: row.kind,
    ...(currency && row.amount_minor !== null && { amount: amount(currency, row.amount_minor) }),
    ...(currency && row.charge_minor !== null && { charge: amount(currency, row.charge_minor) }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.occurred_at && { occurredAt: row.occurred_at }),
    outcome: row.outcome,
    detail: row.detail ?? undefined,
    receivedAt: row.received_at,
  };
}
