/** SQL on cases and their history, always within one merchant. */
import { type MerchantId, merchantId, type PublicId, type UserId, userId } from '../ids.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
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

const insertCase = statement<CaseRow>(
  'kyc.insert-case',
  `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, created_at, updated_at, sealing)
   SELECT $1, $2, $3, $4, $5, now.at, now.at, 2 FROM (SELECT ${merchantNow} AS at) AS now
   ON CONFLICT (merchant_id, user_id, level, zone) DO NOTHING
   RETURNING ${caseColumns}`,
);
const lockOfUser = statement<CaseRow>(
  'kyc.lock-case-of-user',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $1 AND user_id = $2 AND level = $3 AND zone = $4 FOR UPDATE`,
);
const lockById = statement<CaseRow>(
  'kyc.lock-case',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $1 AND case_id = $2 FOR UPDATE`,
);
const lockAllOfUser = statement<CaseRow>(
  'kyc.lock-cases-of-user',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $1 AND user_id = $2 ORDER BY case_id FOR UPDATE`,
);
const findById = statement<CaseRow>(
  'kyc.find-case',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $1 AND case_id = $2`,
);
const listOfUser = statement<CaseRow>(
  'kyc.list-cases-of-user',
  `SELECT ${caseColumns} FROM kyc_cases WHERE merchant_id = $1 AND user_id = $2 ORDER BY created_at, case_id`,
);
const listHeld = statement<CaseRow>(
  'kyc.list-held-cases',
  `SELECT ${caseColumns} FROM kyc_cases
    WHERE merchant_id = $1 AND user_id = $2 AND state = 'APPROVED' AND expires_at > ${merchantNow}
    ORDER BY level DESC`,
);
const updateState = statement<CaseRow>(
  'kyc.update-case-state',
  `UPDATE kyc_cases
      SET state = $4, version = version + 1, reasons = $5, requested_parts = $6, is_final = $7, updated_at = clock.at,
          renewal_state = $8, renewal_version = $9, renewal_reasons = $10, renewal_parts = $11, renewal_is_final = $12,
          submitted_at = CASE WHEN $13 THEN clock.at ELSE submitted_at END,
          decided_at = CASE WHEN $14 = 'now' THEN clock.at WHEN $14 = 'as before' THEN decided_at END,
          told_days_before = CASE WHEN $4 = 'APPROVED' AND $15::int IS NULL THEN told_days_before END,
          expires_at = CASE WHEN $15::int IS NOT NULL
                            THEN least(clock.at + make_interval(months => $15), clock.end_of_document)
                            WHEN $4 IN ('APPROVED', 'EXPIRED') THEN expires_at END
     FROM (SELECT ${merchantNow} AS at, ($16::date + interval '1 day') AT TIME ZONE 'UTC' AS end_of_document) AS clock
    WHERE merchant_id = $1 AND case_id = $2 AND version = $3
   RETURNING ${caseColumns}`,
);
const insertHistory = statement(
  'kyc.insert-history',
  `INSERT INTO kyc_history (merchant_id, case_id, version, move, from_state, to_state, actor_kind, actor_id,
                            reasons, requested_parts, sealed_internal_reason, occurred_at, is_renewal)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);
export interface HistoryRow {
  version: number;
  move: string;
  from_state: CaseState | null;
  to_state: CaseState;
  actor_kind: string;
  actor_id: string;
  reasons: PublicReason[];
  requested_parts: Part[];
  sealed_internal_reason: Buffer | null;
  occurred_at: Date;
  is_renewal: boolean;
}
const listHistory = statement<HistoryRow>(
  'kyc.list-history',
  `SELECT version, move, from_state, to_state, actor_kind, actor_id, reasons, requested_parts, sealed_internal_reason,
          occurred_at, is_renewal
     FROM kyc_history WHERE merchant_id = $1 AND case_id = $2 ORDER BY version`,
);
const findNow = statement<{ now: Date }>('kyc.find-now', `SELECT ${merchantNow} AS now`);
const closeCases = statement(
  'kyc.close-cases',
  `UPDATE kyc_cases SET closed_at = ${merchantNow} WHERE merchant_id = $1 AND user_id = $2 AND closed_at IS NULL`,
);

/** Returns undefined when the user already has a case of that level and zone. */
export async function addCase(
  tx: Transaction,
  kycCase: Pick<KycCase, 'merchantId' | 'caseId' | 'userId' | 'level' | 'zone'>,
): Promise<KycCase | undefined> {
  const { merchantId: merchant, caseId, userId: user, level, zone } = kycCase;
  return toCase((await tx.query(insertCase, [merchant, caseId, user, level, zone]))[0]);
}

export async function lockCaseOfUser(
  tx: Transaction,
  merchant: MerchantId,
  user: UserId,
  level: KycLevel,
  zone: Zone,
): Promise<KycCase | undefined> {
  return toCase((await tx.query(lockOfUser, [merchant, user, level, zone]))[0]);
}

export async function lockCase(
  tx: Transaction,
  merchant: MerchantId,
  caseId: string,
): Promise<KycCase | undefined> {
  return toCase((await tx.query(lockById, [merchant, caseId]))[0]);
}

export async function lockCasesOfUser(
  tx: Transaction,
  merchant: MerchantId,
  user: UserId,
): Promise<KycCase[]> {
  return toCases(await tx.query(lockAllOfUser, [merchant, user]));
}

export async function findCaseById(
  database: Queryable,
  merchant: MerchantId,
  caseId: string,
): Promise<KycCase | undefined> {
  return toCase((await database.query(findById, [merchant, caseId]))[0]);
}

export async function listCasesOfUser(
  database: Queryable,
  merchant: MerchantId,
  user: UserId,
): Promise<KycCase[]> {
  return toCases(await database.query(listOfUser, [merchant, user]));
}

/** Lists approved cases that have not expired, the highest level first. */
export async function listHeldCases(
  database: Queryable,
  merchant: MerchantId,
  user: UserId,
): Promise<KycCase[]> {
  return toCases(await database.query(listHeld, [merchant, user]));
}

/** The merchant's clock. */
export async function merchantTime(database: Queryable, merchant: MerchantId): Promise<Date> {
  const [row] = await database.query(findNow, [merchant]);
  if (!row) throw new Error('the database returned no time');
  return row.now;
}

export interface StateChange extends Omit<FormProgress, 'version'> {
  readonly renewal: Renewal | undefined;
  readonly isSubmitted: boolean;
  readonly decided: 'now' | 'not yet' | 'as before';
  /** Present when the change approves the case: how long that lasts, unless the document ends before. */
  readonly approval:
    | { readonly validMonths: number; readonly documentExpiresOn: string | undefined }
    | undefined;
}

/** Returns undefined when the case has changed since it was read. */
export async function saveState(
  tx: Transaction,
  { merchantId: merchant, caseId, version }: KycCase,
  change: StateChange,
): Promise<KycCase | undefined> {
  const { state, reasons, requestedParts, isFinal, renewal, approval } = change;
  const rows = await tx.query(updateState, [
    ...[merchant, caseId, version, state, reasons, requestedParts, isFinal],
    ...[renewal?.state ?? null, renewal?.version ?? null, renewal?.reasons ?? []],
    ...[renewal?.requestedParts ?? [], renewal?.isFinal ?? false],
    ...[change.isSubmitted, change.decided],
    ...[approval?.validMonths ?? null, approval?.documentExpiresOn ?? null],
  ]);
  return toCase(rows[0]);
}

export interface NewHistory {
  readonly after: KycCase;
  readonly move: string;
  readonly isRenewal: boolean;
  readonly from: CaseState | null;
  readonly to: CaseState;
  readonly reasons: readonly PublicReason[];
  readonly requestedParts: readonly Part[];
  readonly actorKind: string;
  readonly actorId: string;
  readonly sealedInternalReason: Buffer | undefined;
}

export async function addHistory(tx: Transaction, entry: NewHistory): Promise<void> {
  const { merchantId: merchant, caseId, version, updatedAt } = entry.after;
  await tx.query(insertHistory, [
    ...[merchant, caseId, version, entry.move, entry.from, entry.to, entry.actorKind, entry.actorId],
    ...[entry.reasons, entry.requestedParts, entry.sealedInternalReason ?? null, updatedAt, entry.isRenewal],
  ]);
}

export function listCaseHistory(database: Queryable, kycCase: KycCase): Promise<HistoryRow[]> {
  return database.query(listHistory, [kycCase.merchantId, kycCase.caseId]);
}

export async function closeCasesOfUser(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(closeCases, [merchant, user]);
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
