/** SQL on what management decided about politically exposed users, always within one merchant. */
import { type MerchantId, merchantId, type OperatorId, operatorId, type UserId, userId } from '../../ids.js';
import { clientIdsOf } from '../../merchants/service.js';
import type { Account } from '../../persons/service.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { Acceptance } from './acceptance.js';

interface AcceptanceRow {
  number: number;
  sealed_note: Buffer;
  accepted_by: bigint;
  accepted_at: Date;
  review_by: Date;
}
const columns = 'number, sealed_note, accepted_by, accepted_at, review_by';

const findLast = statement(
  'exposure.find-last',
  `SELECT ${columns}, review_by > statement_timestamp() AS is_valid FROM exposure_acceptances
    WHERE merchant_id = $merchantId AND user_id = $userId ORDER BY number DESC LIMIT 1`,
).rows<AcceptanceRow & { is_valid: boolean }>();
const insertOne = statement(
  'exposure.insert',
  `INSERT INTO exposure_acceptances (merchant_id, user_id, number, sealed_note, accepted_by, review_by)
   SELECT $merchantId, $userId, $number, $sealedNote, $acceptedBy, clock.at + make_interval(months => $months)
     FROM (SELECT statement_timestamp() AS at) AS clock RETURNING ${columns}`,
).rows<AcceptanceRow>();
const deleteOfUser = statement(
  'exposure.delete-of-user',
  'DELETE FROM exposure_acceptances WHERE merchant_id = $merchantId AND user_id = $userId',
);
/** Those of the users who are known to be exposed, and were not accepted within the last year. */
const listUnacceptedOf = statement(
  'exposure.list-unaccepted',
  `SELECT DISTINCT known.user_id
     FROM (SELECT user_id FROM screening_hits
            WHERE merchant_id = $merchantId AND user_id = ANY ($users) AND kind = 'exposure' AND state = 'confirmed'
            UNION ALL SELECT user_id FROM exposure_acceptances
            WHERE merchant_id = $merchantId AND user_id = ANY ($users)) AS known
    WHERE NOT EXISTS (SELECT FROM exposure_acceptances AS held
                       WHERE held.merchant_id = $merchantId AND held.user_id = known.user_id
                         AND held.review_by > statement_timestamp())`,
).rows<{ user_id: bigint }>();
/** Who holds a level, is known to be exposed, and was not accepted within the last year. */
const listTasks = statement(
  'exposure.list-tasks',
  `SELECT due.merchant_id, due.user_id, (extract(epoch FROM due.since) * 1000000)::bigint::text AS at_micros
     FROM (SELECT known.merchant_id, known.user_id, max(known.since) AS since
             FROM (SELECT merchant_id, user_id, decided_at AS since FROM screening_hits
                    WHERE kind = 'exposure' AND state = 'confirmed'
                    UNION ALL SELECT merchant_id, user_id, review_by FROM exposure_acceptances) AS known
            GROUP BY known.merchant_id, known.user_id) AS due
    WHERE due.since <= statement_timestamp()
      AND EXISTS (SELECT FROM kyc_cases AS held WHERE held.merchant_id = due.merchant_id AND held.user_id = due.user_id
                    AND held.state = 'APPROVED' AND held.closed_at IS NULL)
      AND (due.since, due.user_id::text)
        > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR due.user_id::text = $only)
    ORDER BY due.since, due.user_id::text LIMIT $limit`,
).rows<{ merchant_id: bigint; user_id: bigint; at_micros: string }>();

export interface StoredAcceptance extends Acceptance {
  readonly sealedNote: Buffer;
}

export async function findLastAcceptance(
  database: Queryable,
  { merchantId: merchant, userId: user }: Account,
): Promise<(StoredAcceptance & { readonly isValid: boolean }) | undefined> {
  const [row] = await database.query(findLast, { merchantId: merchant, userId: user });
  return row && { ...toAcceptance(row), isValid: row.is_valid };
}

export async function listUnaccepted(
  database: Queryable,
  merchant: MerchantId,
  users: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const rows = await database.query(listUnacceptedOf, { merchantId: merchant, users });
  return new Set(rows.map((row) => userId(row.user_id)));
}

export interface NewAcceptance {
  readonly number: number;
  readonly sealedNote: Buffer;
  readonly acceptedBy: OperatorId;
  readonly months: number;
}

/** The caller has locked the user. */
export async function addAcceptance(
  tx: Transaction,
  { merchantId: merchant, userId: user }: Account,
  acceptance: NewAcceptance,
): Promise<StoredAcceptance> {
  const [row] = await tx.query(insertOne, { merchantId: merchant, userId: user, ...acceptance });
  if (!row) throw new Error('the database returned no acceptance');
  return toAcceptance(row);
}

export async function deleteAcceptances(tx: Transaction, merchant: MerchantId, user: Account['userId']): Promise<void> {
  await tx.query(deleteOfUser, { merchantId: merchant, userId: user });
}

export async function listExposureTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  const clientIds = await clientIdsOf(
    database,
    rows.map((row) => merchantId(row.merchant_id)),
  );
  return rows.map((row) => ({
    id: String(row.user_id),
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary: 'Let management decide whether a politically exposed user is served, or revoke the level.',
    path: `/operator/users/${row.user_id}?merchant=${clientIds.get(merchantId(row.merchant_id))}`,
    userId: userId(row.user_id),
  }));
}

function toAcceptance(row: AcceptanceRow): StoredAcceptance {
  return {
    number: row.number,
    sealedNote: row.sealed_note,
    acceptedBy: operatorId(row.accepted_by),
    acceptedAt: row.accepted_at,
    reviewBy: row.review_by,
  };
}
