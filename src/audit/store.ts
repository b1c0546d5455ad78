/** SQL that records audit entries, and finds those that are not chained yet. */
import { type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { type AuditRecord, actorId } from './audit.js';

const insertEntry = statement(
  'audit.insert-entry',
  `INSERT INTO audit_entries
     (merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id)
   VALUES ($merchantId, $actorKind, $actorId, $action, $subject, $fromState, $toState, $details, $requestId)`,
);
const listWaiting = statement(
  'audit.list-waiting',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM audit_entries WHERE sequence = 0 AND merchant_id > $after
            ORDER BY merchant_id, id LIMIT $limit) AS waiting
    ORDER BY merchant_id`,
).rows<{ merchant_id: bigint }>();
const findOldestUnchained = statement(
  'audit.find-oldest-unchained',
  `SELECT extract(epoch FROM clock_timestamp() - min(occurred_at))::float8 AS seconds
     FROM audit_entries WHERE sequence = 0`,
).rows<{ seconds: number | null }>();

export async function addEntry(tx: Transaction, merchantId: TenantId, record: AuditRecord): Promise<void> {
  const { actor, action, subject, fromState = null, toState = null, details, requestId = null } = record;
  const approval = record.approval && {
    approvalId: record.approval.approvalId,
    requestedBy: `operator:${record.approval.requestedBy}`,
  };
  await tx.query(insertEntry, {
    merchantId,
    actorKind: actor.kind,
    actorId: actorId(actor),
    action,
    subject,
    fromState,
    toState,
    details: JSON.stringify({ ...details, ...approval }),
    requestId,
  });
}

/** Lists merchants with entries to chain, in rising order. Reads at most `limit` entries, however many are waiting. */
export async function listWaitingMerchants(database: Queryable, after: number, limit: number): Promise<TenantId[]> {
  return (await database.query(listWaiting, { after, limit })).map((row) => tenantId(row.merchant_id));
}

export async function oldestUnchainedSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldestUnchained);
  return row?.seconds ?? 0;
}
