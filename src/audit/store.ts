/** SQL that records audit entries, and finds those that are not chained yet. */
import { type TenantId, tenantId } from '../ids.js';
import { isInStep, queryJoined } from '../postgres/in-step.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { type AuditRecord, actorId } from './audit.js';

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
   SELECT $1::bigint, entry.actor_kind, entry.actor_id, entry.action, entry.subject, entry.from_state, entry.to_state,
          entry.details::jsonb, entry.request_id
     FROM unnest((SELECT $2::text[]), $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
          AS entry (actor_kind, actor_id, action, subject, from_state, to_state, details, request_id)`,
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
  const { actor, action, subject, fromState, toState, details, requestId, approval } = record;
  const asked = approval && {
    approvalId: approval.approvalId,
    requestedBy: `operator:${approval.requestedBy}`,
  };
  const values = [
    actor.kind,
    actorId(actor),
    action,
    subject,
    fromState ?? null,
    toState ?? null,
    JSON.stringify({ ...details, ...asked }),
    requestId ?? null,
  ];
  if (isInStep(tx)) await queryJoined(tx, insertEntries, merchantId, values);
  else tx.send(insertEntry, [merchantId, ...values]);
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
