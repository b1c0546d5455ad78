/** SQL over the cases of all merchants: the queue of operators, and the cases that jobs work on. */
import { type MerchantId, merchantId } from '../../ids.js';
import { merchantNow, nowByClock } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { CaseState, KycCase, KycLevel, Zone } from '../cases/case.js';
import { type CaseRow, caseColumns, toCases } from '../cases/store.js';

type QueueRow = CaseRow & { at_micros: string };
const pageColumns = `${caseColumns}, (extract(epoch FROM updated_at) * 1000000)::bigint::text AS at_micros`;
const isOnPage = `closed_at IS NULL
      AND (updated_at, case_id) > (to_timestamp(0) + $atMicros::bigint * interval '1 microsecond', $caseId)
      AND ($level::text IS NULL OR level = $level) AND ($zone::text IS NULL OR zone = $zone)
      AND ($merchantId::bigint IS NULL OR merchant_id = $merchantId)`;

/** Two statements, because PostgreSQL would plan one with an optional state for neither index. */
const pageOfAll = statement(
  'queue-store.page-of-all',
  `SELECT ${pageColumns} FROM kyc_cases WHERE ${isOnPage} ORDER BY updated_at, case_id LIMIT $limit`,
).rows<QueueRow>();
/** Two index scans in order, merged. A case and its renewal are never in the same state. */
const pageOfState = statement(
  'queue-store.page-of-state',
  `(SELECT ${pageColumns} FROM kyc_cases WHERE state = $state AND ${isOnPage}
     ORDER BY updated_at, case_id LIMIT $limit)
   UNION ALL
   (SELECT ${pageColumns} FROM kyc_cases WHERE renewal_state = $state AND ${isOnPage}
     ORDER BY updated_at, case_id LIMIT $limit)
   ORDER BY updated_at, case_id LIMIT $limit`,
).rows<QueueRow>();
interface RefRow {
  merchant_id: bigint;
  case_id: string;
}
const furthestNow = `(statement_timestamp() + coalesce((SELECT max(ahead) FROM merchant_clocks), interval '0'))`;
const isSubmitted = `(state = 'SUBMITTED' OR renewal_state = 'SUBMITTED') AND closed_at IS NULL`;
const listSubmitted = statement(
  'queue-store.list-submitted',
  `SELECT merchant_id, case_id FROM kyc_cases
    WHERE ${isSubmitted} AND case_id <> ALL ($caseIds)
    ORDER BY updated_at, case_id LIMIT $limit`,
).rows<RefRow>();
const findOldestSubmitted = statement(
  'queue-store.find-oldest-submitted',
  `SELECT extract(epoch FROM ${nowByClock} - oldest.updated_at)::float8 AS seconds
     FROM (SELECT merchant_id, updated_at FROM kyc_cases WHERE ${isSubmitted} ORDER BY updated_at LIMIT 1) AS oldest
     LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = oldest.merchant_id`,
).rows<{ seconds: number }>();
/** The merchant clock that is furthest ahead limits the index scan; the merchant's own clock then decides for each case. */
const listDue = statement(
  'queue-store.list-due-to-expire',
  `SELECT kyc_cases.merchant_id, case_id
     FROM kyc_cases LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = kyc_cases.merchant_id
    WHERE state = 'APPROVED' AND closed_at IS NULL
      AND expires_at <= ${furthestNow} AND expires_at <= ${nowByClock} AND case_id <> ALL ($caseIds)
      AND ($merchantId::bigint IS NULL OR kyc_cases.merchant_id = $merchantId)
    ORDER BY expires_at LIMIT $limit`,
).rows<RefRow>();
const lockDue = statement(
  'queue-store.lock-due-to-expire',
  `SELECT ${caseColumns} FROM kyc_cases
    WHERE merchant_id = $merchantId AND case_id = $caseId AND state = 'APPROVED' AND closed_at IS NULL
      AND expires_at <= ${merchantNow}
    FOR UPDATE SKIP LOCKED`,
).rows<CaseRow>();
const listToTell = statement(
  'queue-store.list-expiring',
  `SELECT kyc_cases.merchant_id, case_id
     FROM kyc_cases LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = kyc_cases.merchant_id
    WHERE state = 'APPROVED' AND closed_at IS NULL AND (told_days_before IS NULL OR told_days_before > $daysBefore)
      AND expires_at <= ${furthestNow} + make_interval(days => $daysBefore)
      AND expires_at <= ${nowByClock} + make_interval(days => $daysBefore)
      AND expires_at > ${nowByClock} AND case_id <> ALL ($caseIds)
      AND ($merchantId::bigint IS NULL OR kyc_cases.merchant_id = $merchantId)
    ORDER BY expires_at LIMIT $limit`,
).rows<RefRow>();
const lockToTell = statement(
  'queue-store.lock-expiring',
  `SELECT ${caseColumns} FROM kyc_cases
    WHERE merchant_id = $merchantId AND case_id = $caseId AND state = 'APPROVED' AND closed_at IS NULL
      AND (told_days_before IS NULL OR told_days_before > $daysBefore)
      AND expires_at <= ${merchantNow} + make_interval(days => $daysBefore) AND expires_at > ${merchantNow}
    FOR UPDATE SKIP LOCKED`,
).rows<CaseRow>();
const noteTold = statement(
  'queue-store.note-told',
  'UPDATE kyc_cases SET told_days_before = $daysBefore WHERE merchant_id = $merchantId AND case_id = $caseId',
);

export interface CaseFilter {
  /** Of the case or of its renewal. */
  readonly state: CaseState | undefined;
  readonly level: KycLevel | undefined;
  readonly zone: Zone | undefined;
  readonly merchantId: MerchantId | undefined;
}

/** The last case of a page: its time to the microsecond, and its id. */
export interface QueuePlace {
  readonly atMicros: string;
  readonly caseId: string;
}

export interface QueuePage {
  readonly cases: readonly KycCase[];
  /** Undefined when this is the last page. */
  readonly next: QueuePlace | undefined;
}

/** Lists cases by their last change, the oldest first. Leaves out cases of deleted users. */
export async function listQueue(
  database: Queryable,
  filter: CaseFilter,
  after: QueuePlace | undefined,
  atMost: number,
): Promise<QueuePage> {
  const { state, level = null, zone = null, merchantId: merchant = null } = filter;
  const { atMicros, caseId } = after ?? { atMicros: '0', caseId: '' };
  const rows =
    state === undefined
      ? await database.query(pageOfAll, {
          atMicros,
          caseId,
          level,
          zone,
          merchantId: merchant,
          limit: atMost + 1,
        })
      : await database.query(pageOfState, {
          atMicros,
          caseId,
          level,
          zone,
          merchantId: merchant,
          limit: atMost + 1,
          state,
        });
  const page = rows.slice(0, atMost);
  const last = page.at(-1);
  const next = rows.length > atMost && last ? { atMicros: last.at_micros, caseId: last.case_id } : undefined;
  return { cases: toCases(page), next };
}

/** Names a case of any merchant. */
export interface CaseRef {
  readonly merchantId: MerchantId;
  readonly caseId: string;
}

/** Cases that wait for the automatic decision, the oldest first. */
export async function listSubmittedCases(
  database: Queryable,
  except: readonly CaseRef[],
  atMost: number,
): Promise<CaseRef[]> {
  return toRefs(await database.query(listSubmitted, { caseIds: idsOf(except), limit: atMost }));
}

/** How long the oldest submitted case has waited; 0 when none waits. */
export async function oldestSubmittedSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldestSubmitted))[0]?.seconds ?? 0;
}

/** Which cases a job works on next. */
export interface DueCases {
  /** Undefined: of all merchants. */
  readonly merchantId: MerchantId | undefined;
  readonly except: readonly CaseRef[];
  readonly atMost: number;
}

export async function listDueToExpire(
  database: Queryable,
  { merchantId: merchant, except, atMost }: DueCases,
): Promise<CaseRef[]> {
  return toRefs(await database.query(listDue, { caseIds: idsOf(except), limit: atMost, merchantId: merchant ?? null }));
}

/** Returns undefined when the case is no longer due, or another worker has locked it. */
export async function lockDueToExpire(tx: Transaction, due: CaseRef): Promise<KycCase | undefined> {
  return toCases(await tx.query(lockDue, due))[0];
}

/** Lists approvals that expire within so many days and were not announced yet. */
export async function listExpiring(
  database: Queryable,
  daysBefore: number,
  { merchantId: merchant, except, atMost }: DueCases,
): Promise<CaseRef[]> {
  return toRefs(
    await database.query(listToTell, {
      daysBefore,
      caseIds: idsOf(except),
      limit: atMost,
      merchantId: merchant ?? null,
    }),
  );
}

/** Returns undefined when it was already announced, or another worker has locked it. */
export async function noteExpiring(
  tx: Transaction,
  expiring: CaseRef,
  daysBefore: number,
): Promise<KycCase | undefined> {
  const [kycCase] = toCases(
    await tx.query(lockToTell, { merchantId: expiring.merchantId, caseId: expiring.caseId, daysBefore }),
  );
  if (kycCase) await tx.query(noteTold, { merchantId: expiring.merchantId, caseId: expiring.caseId, daysBefore });
  return kycCase;
}

function toRefs(rows: readonly RefRow[]): CaseRef[] {
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), caseId: row.case_id }));
}

function idsOf(refs: readonly CaseRef[]): string[] {
  return refs.map(({ caseId }) => caseId);
}
