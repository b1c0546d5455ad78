/** SQL on cases and the internal reasons of decisions, always within one merchant. */
import { type MerchantId, merchantId, type PublicId, type UserId, userId } from '../../ids.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type {
  CaseState,
  FormProgress,
  KycCase,
  KycLevel,
  Part,
  PublicReason,
  Renewal,
  RenewalState,
  Zone,
} from './case.js';

export interface CaseRow {
  merchant_id: bigint;
  case_id: string;
  user_id: bigint;
  level: KycLevel;
  zone: Zone;
  state: CaseState;
  version: number;
  is_final: boolean;
  reasons: PublicReason[];
  requested_parts: Part[];
  created_at: Date;
  updated_at: Date;
  submitted_at: Date | null;
  decided_at: Date | null;
  expires_at: Date | null;
  closed_at: Date | null;
  renewal_state: RenewalState | null;
  renewal_version: number | null;
  renewal_is_final: boolean;
  renewal_reasons: PublicReason[];
  renewal_parts: Part[];
}

export const caseColumns = `merchant_id, case_id, user_id, level, zone, state, version, is_final, reasons, requested_parts,
  created_at, updated_at, submitted_at, decided_at, expires_at, closed_at, renewal_state, renewal_version,
  renewal_is_final, renewal_reasons, renewal_parts`;

const insertCase = statement(
  'kyc.insert-case',
  `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, created_at, updated_at)
   SELECT $merchantId, $caseId, $userId, $level, $zone, now.at, now.at FROM (SELECT ${merchantNow} AS at) AS now
   ON CONFLICT (merchant_id, user_id, level, zone) DO NOTHING
   RETURNING ${caseColumns}`,
).rows<CaseRow>();
const lockOfUser = statement(
  'kyc.lock-case-of-user',
  `SELECT ${caseColumns} FROM kyc_cases
     WHERE merchant_id = $merchantId AND user_id = $userId AND level = $level AND zone = $zone FOR UPDATE`,
).rows<CaseRow>();
const lockById = statement(
  'kyc.lock-case',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $merchantId AND case_id = $caseId FOR UPDATE`,
).rows<CaseRow>();
const lockAllOfUser = statement(
  'kyc.lock-cases-of-user',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $merchantId AND user_id = $userId
     ORDER BY case_id FOR UPDATE`,
).rows<CaseRow>();
const findById = statement(
  'kyc.find-case',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $merchantId AND case_id = $caseId`,
).rows<CaseRow>();
const listOfUser = statement(
  'kyc.list-cases-of-user',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $merchantId AND user_id = $userId
     ORDER BY created_at, case_id`,
).rows<CaseRow>();
const listHeld = statement(
  'kyc.list-held-cases',
  `SELECT ${caseColumns} FROM kyc_cases
    WHERE merchant_id = $merchantId AND user_id = $userId AND state = 'APPROVED' AND expires_at > ${merchantNow}
    ORDER BY level DESC`,
).rows<CaseRow>();
const updateState = statement(
  'kyc.update-case-state',
  `UPDATE kyc_cases
      SET state = $state, version = version + 1, reasons = $reasons, requested_parts = $requestedParts,
        is_final = $isFinal, updated_at = clock.at,
          renewal_state = $renewalState, renewal_version = $renewalVersion, renewal_reasons = $renewalReasons,
            renewal_parts = $renewalParts, renewal_is_final = $renewalIsFinal,
          submitted_at = CASE WHEN $isSubmitted THEN clock.at ELSE submitted_at END,
          decided_at = CASE WHEN $decided = 'now' THEN clock.at WHEN $decided = 'as before' THEN decided_at END,
          told_days_before = CASE WHEN $state = 'APPROVED' AND $validMonths::int IS NULL THEN told_days_before END,
          expires_at = CASE WHEN $validMonths::int IS NOT NULL
                            THEN least(clock.at + make_interval(months => $validMonths), clock.end_of_document)
                            WHEN $state IN ('APPROVED', 'EXPIRED') THEN expires_at END
     FROM (SELECT ${merchantNow} AS at,
       ($documentExpiresOn::date + interval '1 day') AT TIME ZONE 'UTC' AS end_of_document) AS clock
    WHERE merchant_id = $merchantId AND case_id = $caseId AND version = $version
   RETURNING ${caseColumns}`,
).rows<CaseRow>();
const insertNote = statement(
  'kyc.insert-note',
  `INSERT INTO kyc_notes (merchant_id, case_id, version, sealed_reason)
   VALUES ($merchantId, $caseId, $version, $sealedReason)`,
);
const listOfCase = statement(
  'kyc.list-notes',
  'SELECT version, sealed_reason FROM kyc_notes WHERE merchant_id = $merchantId AND case_id = $caseId',
).rows<{ version: number; sealed_reason: Buffer }>();
const findNow = statement('kyc.find-now', `SELECT ${merchantNow} AS now`).rows<{ now: Date }>();
const closeCases = statement(
  'kyc.close-cases',
  `UPDATE kyc_cases SET closed_at = ${merchantNow}
     WHERE merchant_id = $merchantId AND user_id = $userId AND closed_at IS NULL`,
);

/** Returns undefined when the user already has a case of that level and zone. */
export async function addCase(
  tx: Transaction,
  kycCase: Pick<KycCase, 'merchantId' | 'caseId' | 'userId' | 'level' | 'zone'>,
): Promise<KycCase | undefined> {
  const { merchantId: merchant, caseId, userId: user, level, zone } = kycCase;
  return toCase((await tx.query(insertCase, { merchantId: merchant, caseId, userId: user, level, zone }))[0]);
}

export async function lockCaseOfUser(
  tx: Transaction,
  merchant: MerchantId,
  user: UserId,
  level: KycLevel,
  zone: Zone,
): Promise<KycCase | undefined> {
  return toCase((await tx.query(lockOfUser, { merchantId: merchant, userId: user, level, zone }))[0]);
}

export async function lockCase(tx: Transaction, merchant: MerchantId, caseId: string): Promise<KycCase | undefined> {
  return toCase((await tx.query(lockById, { merchantId: merchant, caseId }))[0]);
}

export async function lockCasesOfUser(tx: Transaction, merchant: MerchantId, user: UserId): Promise<KycCase[]> {
  return toCases(await tx.query(lockAllOfUser, { merchantId: merchant, userId: user }));
}

export async function findCaseById(
  database: Queryable,
  merchant: MerchantId,
  caseId: string,
): Promise<KycCase | undefined> {
  return toCase((await database.query(findById, { merchantId: merchant, caseId }))[0]);
}

export async function listCasesOfUser(database: Queryable, merchant: MerchantId, user: UserId): Promise<KycCase[]> {
  return toCases(await database.query(listOfUser, { merchantId: merchant, userId: user }));
}

/** Lists approved cases that have not expired, the highest level first. */
export async function listHeldCases(database: Queryable, merchant: MerchantId, user: UserId): Promise<KycCase[]> {
  return toCases(await database.query(listHeld, { merchantId: merchant, userId: user }));
}

/** The merchant's clock. */
export async function merchantTime(database: Queryable, merchant: MerchantId): Promise<Date> {
  const [row] = await database.query(findNow, { merchantId: merchant });
  if (!row) throw new Error('the database returned no time');
  return row.now;
}

export interface StateChange extends Omit<FormProgress, 'version'> {
  readonly renewal: Renewal | undefined;
  readonly isSubmitted: boolean;
  readonly decided: 'now' | 'not yet' | 'as before';
  /** Present when the change approves the case: how long that lasts, unless the document ends before. */
  readonly approval: { readonly validMonths: number; readonly documentExpiresOn: string | undefined } | undefined;
}

/** Returns undefined when the case has changed since it was read. */
export async function saveState(
  tx: Transaction,
  { merchantId: merchant, caseId, version }: KycCase,
  change: StateChange,
): Promise<KycCase | undefined> {
  const { state, reasons, requestedParts, isFinal, renewal, approval } = change;
  const rows = await tx.query(updateState, {
    merchantId: merchant,
    caseId,
    version,
    state,
    reasons,
    requestedParts,
    isFinal,
    renewalState: renewal?.state ?? null,
    renewalVersion: renewal?.version ?? null,
    renewalReasons: renewal?.reasons ?? [],
    renewalParts: renewal?.requestedParts ?? [],
    renewalIsFinal: renewal?.isFinal ?? false,
    isSubmitted: change.isSubmitted,
    decided: change.decided,
    validMonths: approval?.validMonths ?? null,
    documentExpiresOn: approval?.documentExpiresOn ?? null,
  });
  return toCase(rows[0]);
}

/** Keeps the internal reason of the transition to this version. */
export async function addNote(tx: Transaction, kycCase: KycCase, sealedReason: Buffer): Promise<void> {
  const { merchantId: merchant, caseId, version } = kycCase;
  await tx.query(insertNote, { merchantId: merchant, caseId, version, sealedReason });
}

/** The sealed internal reasons of a case, by the version that each transition led to. */
export async function listNotes(
  database: Queryable,
  { merchantId: merchant, caseId }: KycCase,
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await database.query(listOfCase, { merchantId: merchant, caseId });
  return new Map(rows.map((row) => [row.version, row.sealed_reason]));
}

export async function closeCasesOfUser(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(closeCases, { merchantId: merchant, userId: user });
}

export function toCases(rows: readonly CaseRow[]): KycCase[] {
  return rows.flatMap((row) => toCase(row) ?? []);
}

function toCase(row: CaseRow | undefined): KycCase | undefined {
  return (
    row && {
      merchantId: merchantId(row.merchant_id),
      caseId: row.case_id as PublicId<'kyc'>,
      userId: userId(row.user_id),
      level: row.level,
      zone: row.zone,
      state: row.state,
      version: row.version,
      isFinal: row.is_final,
      isClosed: row.closed_at !== null,
      reasons: row.reasons,
      requestedParts: row.requested_parts,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      submittedAt: row.submitted_at ?? undefined,
      decidedAt: row.decided_at ?? undefined,
      expiresAt: row.expires_at ?? undefined,
      renewal: toRenewal(row),
    }
  );
}

function toRenewal(row: CaseRow): Renewal | undefined {
  if (row.renewal_state === null || row.renewal_version === null) return undefined;
  return {
    state: row.renewal_state,
    version: row.renewal_version,
    isFinal: row.renewal_is_final,
    reasons: row.renewal_reasons,
    requestedParts: row.renewal_parts,
  };
}
