/** SQL on reports. A report that belongs to nothing we know is stored under the instance. */
import { instanceTenant, type OperatorId, operatorId, storedPublicId, type TenantId, tenantId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import type { OrderRef } from '../../orders/order/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Attempt, AttemptRef } from '../attempt.js';
import type { Report, ReportKind } from '../rail.js';
import type { Decision } from './report-rules.js';

/** Stored once: the same report again changes nothing. */
const insertReport = statement(
  'report-store.insert',
  `INSERT INTO payout_reports (merchant_id, rail, report_id, attempt_id, reference, kind, currency, amount_minor,
                               charge_minor, reason, sealed_raw, outcome, detail, occurred_at, received_at, bank, order_version,
                               recorded_by, is_handed_in)
   VALUES ($merchantId, $rail, $reportId, $attemptId, $reference, $kind, $currency, $amountMinor, $chargeMinor, $reason, $sealedRaw, $outcome, $detail, $occurredAt, statement_timestamp(), $bank, $orderVersion,
           $recordedBy, $isHandedIn)
   ON CONFLICT (merchant_id, rail, report_id) DO NOTHING RETURNING report_id`,
).rows<{ report_id: string }>();
const findOne = statement(
  'report-store.find',
  'SELECT report_id FROM payout_reports WHERE merchant_id = $merchantId AND rail = $rail AND report_id = $reportId',
).rows<{ report_id: string }>();
const listByAttempt = statement(
  'report-store.list-of-attempt',
  `SELECT rail, report_id, reference, kind, currency, amount_minor, charge_minor, reason, outcome, detail, occurred_at,
          received_at, bank, order_version, recorded_by
     FROM payout_reports WHERE merchant_id = $merchantId AND attempt_id = $attemptId ORDER BY received_at, report_id`,
).rows<ReportRow>();
const listWaiting = statement(
  'report-store.list-waiting',
  `SELECT rail, report_id, attempt_id, reference, kind, currency, amount_minor, charge_minor, reason, outcome, detail,
          occurred_at, received_at, bank, order_version, recorded_by
     FROM payout_reports WHERE outcome IN ('contradictory', 'unmatched') AND settled_at IS NULL
    ORDER BY received_at, rail, report_id LIMIT $limit`,
).rows<ReportRow & { attempt_id: string | null }>();
const listAttempts = statement(
  'report-store.list-attempts',
  `SELECT DISTINCT merchant_id, attempt_id FROM payout_reports
    WHERE report_id = ANY ($reportIds) AND attempt_id IS NOT NULL LIMIT $limit`,
).rows<{ merchant_id: bigint; attempt_id: string }>();
const findEnd = statement(
  'report-store.find-end-of-payout',
  `SELECT report.is_handed_in FROM payout_reports AS report
     JOIN payout_attempts AS attempt
       ON attempt.merchant_id = report.merchant_id AND attempt.attempt_id = report.attempt_id
    WHERE report.merchant_id = $merchantId AND attempt.merchant_id = $merchantId AND attempt.order_id = $orderId
      AND attempt.direction = 'payout' AND report.outcome = 'applied' AND report.kind IN ('rejected', 'returned', 'recalled')
    ORDER BY report.received_at DESC, report.report_id LIMIT 1`,
).rows<{ is_handed_in: boolean }>();
const settle = statement(
  'report-store.settle',
  `UPDATE payout_reports SET settled_at = statement_timestamp(), settled_by = $operator
    WHERE merchant_id = $merchantId AND rail = $rail AND report_id = $reportId AND settled_at IS NULL
      AND outcome IN ('contradictory', 'unmatched')
   RETURNING reference`,
).rows<{ reference: string }>();
const withdraw = statement(
  'report-store.withdraw-recorded',
  `UPDATE payout_reports SET report_id = report_id || '#' || $version::text, outcome = 'old', detail = 'it was recorded by mistake'
    WHERE merchant_id = $merchantId AND attempt_id = $attemptId AND kind = $kind AND outcome = 'applied' AND recorded_by IS NOT NULL
      AND detail IS NULL`,
);
const findTenant = statement(
  'report-store.find-tenant',
  `SELECT merchant_id FROM payout_reports
    WHERE rail = $rail AND report_id = $reportId AND outcome IN ('contradictory', 'unmatched') AND settled_at IS NULL LIMIT 1`,
).rows<{ merchant_id: bigint }>();

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
  bank: string | null;
  order_version: number | null;
  recorded_by: bigint | null;
}

export type ReportOutcome = Decision['outcome'] | 'unmatched';

/** A report as it is stored, without what the rail sent. */
export interface StoredReport extends Omit<Report, 'raw' | 'pickupCode'> {
  readonly outcome: ReportOutcome;
  /** Why it changed nothing. */
  readonly detail: string | undefined;
  readonly receivedAt: Date;
  /** The bank account on which an operator recorded the movement. */
  readonly bank: string | undefined;
  /** The version that the order of a payout got with it. */
  readonly orderVersion: number | undefined;
  /** Undefined for what a rail said. */
  readonly recordedBy: OperatorId | undefined;
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
  /** The version that the order of a payout gets with it. */
  readonly orderVersion?: number | undefined;
  readonly recordedBy?: OperatorId | undefined;
  /** It is from a document that an operator handed in. */
  readonly isHandedIn?: boolean;
}

/** Returns false when the report is stored already. */
export async function addReport(tx: Transaction, added: NewReport): Promise<boolean> {
  const { report, attempt } = added;
  const money = report.amount ?? report.charge;
  const rows = await tx.query(insertReport, {
    ...report,
    ...added,
    merchantId: attempt?.merchantId ?? instanceTenant,
    attemptId: attempt?.attemptId,
    currency: money?.currency,
    amountMinor: report.amount?.minor,
    chargeMinor: report.charge?.minor,
    reason: report.reason,
    occurredAt: report.occurredAt,
    bank: added.bank,
    orderVersion: added.orderVersion,
    recordedBy: added.recordedBy,
    isHandedIn: added.isHandedIn ?? false,
  });
  return rows.length > 0;
}

/** Whether the report was received before. */
export async function isStored(
  database: Queryable,
  merchant: TenantId,
  rail: string,
  reportId: string,
): Promise<boolean> {
  return (await database.query(findOne, { merchantId: merchant, rail, reportId })).length > 0;
}

/** In the order in which they came. */
export async function listReportsOf(database: Queryable, attempt: AttemptRef): Promise<StoredReport[]> {
  return (await database.query(listByAttempt, attempt)).map(toReport);
}

/** A report that changed nothing and that no operator has examined. */
export interface WaitingReport extends StoredReport {
  readonly rail: string;
  readonly attemptId: string | undefined;
}

/** The oldest first. */
export async function listWaitingReports(database: Queryable, limit: number): Promise<WaitingReport[]> {
  const rows = await database.query(listWaiting, { limit });
  return rows.map((row) => ({ ...toReport(row), rail: row.rail, attemptId: row.attempt_id ?? undefined }));
}

/** Of all merchants: a rail may use an id that another rail has used. */
export async function listAttemptsOfReport(
  database: Queryable,
  reportIds: readonly string[],
  limit: number,
): Promise<AttemptRef[]> {
  const rows = await database.query(listAttempts, { reportIds, limit });
  return rows.map((row) => ({
    merchantId: tenantId(row.merchant_id),
    attemptId: storedPublicId('att', row.attempt_id),
  }));
}

/**
 * What an operator recorded did not happen: the reference of the bank is free for the payment that it belongs to.
 * Reports of rails keep theirs.
 */
export async function withdrawRecorded(tx: Transaction, attempt: Attempt, kind: 'paid' | 'returned'): Promise<void> {
  await tx.query(withdraw, { ...attempt, kind });
}

/** Whether the newest payout of the order ended by a document that an operator handed in. */
export async function hasEndedByDocument(database: Queryable, order: OrderRef): Promise<boolean> {
  return (await database.query(findEnd, order))[0]?.is_handed_in ?? false;
}

/** Whose report waits for an operator; undefined when none does. */
export async function findTenantOfReport(
  database: Queryable,
  rail: string,
  reportId: string,
): Promise<TenantId | undefined> {
  const [row] = await database.query(findTenant, { rail, reportId });
  return row && tenantId(row.merchant_id);
}

/** Returns false when it does not wait for an operator any more. */
export async function settleReport(
  tx: Transaction,
  merchant: TenantId,
  { rail, reportId }: { readonly rail: string; readonly reportId: string },
  operator: OperatorId,
): Promise<boolean> {
  return (await tx.query(settle, { merchantId: merchant, rail, reportId, operator })).length > 0;
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
    bank: row.bank ?? undefined,
    orderVersion: row.order_version ?? undefined,
    recordedBy: row.recorded_by === null ? undefined : operatorId(row.recorded_by),
  };
}
