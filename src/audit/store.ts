/** SQL that records audit entries, and finds those that are not chained yet. */
import { type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { type AuditRecord, actorId, type SharedRecord, type SubjectOfAudit } from './audit.js';

const insertEntry = statement(
  'audit.insert-entry',
  `INSERT INTO audit_entries
     (merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const insertEntries = statement(
  'audit.insert-entries',
  `INSERT INTO audit_entries
     (merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id)
   SELECT $1::bigint, $2, $3, $4, entry.subject, $6, $7, entry.details, $9
     FROM unnest($5::text[], $8::jsonb[]) AS entry (subject, details)`,
);
const listWaiting = statement<{ merchant_id: bigint }>(
  'audit.list-waiting',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM audit_entries WHERE sequence = 0 AND merchant_id > $1
            ORDER BY merchant_id, id LIMIT $2) AS waiting
    ORDER BY merchant_id`,
);
const findOldestUnchained = statement<{ seconds: number | null }>(
  'audit.find-oldest-unchained',
  `SELECT extract(epoch FROM clock_timestamp() - min(occurred_at))::float8 AS seconds
     FROM audit_entries WHERE sequence = 0`,
);

export async function addEntry(tx: Transaction, merchantId: TenantId, record: AuditRecord): Promise<void> {
  await tx.query(
    insertEntry,
    valuesOf(merchantId, record, record.subject, detailsOf(record, record.details)),
  );
}

/** Entries that differ in their subjects and details only. */
export async function addEntries(
  tx: Transaction,
  merchantId: TenantId,
  shared: SharedRecord,
  entries: readonly SubjectOfAudit[],
): Promise<void> {
  const subjects = entries.map(({ subject }) => subject);
  const details = entries.map((entry) => detailsOf(shared, entry.details));
  await tx.query(insertEntries, valuesOf(merchantId, shared, subjects, details));
}

function valuesOf(merchantId: TenantId, shared: SharedRecord, subject: unknown, details: unknown): unknown[] {
  const { actor, action, fromState, toState, requestId } = shared;
  const states = [fromState ?? null, toState ?? null];
  return [merchantId, actor.kind, actorId(actor), action, subject, ...states, details, requestId ?? null];
}

function detailsOf({ approval }: SharedRecord, details: AuditRecord['details']): string {
  const asked = approval && {
    approvalId: approval.approvalId,
    requestedBy: `operator:${approval.requestedBy}`,
  };
  return JSON.stringify({ ...details, ...asked });
}

/** Lists merchants with entries to chain, in rising order. Reads at most `limit` entries, however many are waiting. */
export async function listWaitingMerchants(
  database: Queryable,
  after: number,
  limit: number,
): Promise<TenantId[]> {
  return (await database.query(listWaiting, [after, limit])).map((row) => tenantId(row.merchant_id));
}

export async function oldestUnchainedSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldestUnchained);
  return row?.seconds ?? 0;
}
