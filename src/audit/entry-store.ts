/** SQL that pages through the audit entries of the whole instance, for operators. */
import { instanceTenant, type MerchantId, type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { Reference } from './audit.js';

export interface EntryFilter {
  readonly merchantId: MerchantId | undefined;
  readonly actor: Reference | undefined;
  readonly action: string | undefined;
  /** As it is stored, for example `merchant:7`. */
  readonly subject: string | undefined;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
}

export interface StoredEntry {
  readonly id: number;
  readonly merchantId: MerchantId | undefined;
  readonly actor: Reference;
  readonly action: string;
  readonly subject: string;
  readonly fromState: string | undefined;
  readonly toState: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly occurredAt: Date;
}

interface EntryRow {
  id: bigint;
  merchant_id: bigint;
  actor_kind: string;
  actor_id: string;
  action: string;
  subject: string;
  from_state: string | null;
  to_state: string | null;
  details: Record<string, unknown>;
  request_id: string | null;
  occurred_at: Date;
}

const columns = `id, merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id,
  occurred_at`;
const filters = `id < $before AND occurred_at >= $from AND occurred_at < $to
   AND ($merchantId::bigint IS NULL OR merchant_id = $merchantId)
  AND ($actorKind::text IS NULL OR (actor_kind = $actorKind AND actor_id = $actorId))
    AND ($action::text IS NULL OR action = $action)
  AND ($subject::text IS NULL OR subject = $subject)`;

// Each filter with an index has its own statement, because PostgreSQL uses no index for a condition that may be absent.
const pageOfSubject = statement(
  'entry-store.page-of-subject',
  `SELECT ${columns} FROM audit_entries WHERE subject = $subject AND ${filters} ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfActor = statement(
  'entry-store.page-of-actor',
  `SELECT ${columns} FROM audit_entries WHERE actor_kind = $actorKind AND actor_id = $actorId AND ${filters}
    ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfAction = statement(
  'entry-store.page-of-action',
  `SELECT ${columns} FROM audit_entries WHERE action = $action AND ${filters} ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfMerchant = statement(
  'entry-store.page-of-merchant',
  `SELECT ${columns} FROM audit_entries WHERE merchant_id = $merchantId AND ${filters}
     ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfAll = statement(
  'entry-store.page-of-all',
  `SELECT ${columns} FROM audit_entries WHERE ${filters} ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();

/** Lists the newest entries first. `after` is the id of an entry; only older ones are returned. */
export async function listEntries(
  database: Queryable,
  filter: EntryFilter,
  after: number | undefined,
  limit: number,
): Promise<StoredEntry[]> {
  const rows = await database.query(pageFor(filter), {
    before: after ?? Number.MAX_SAFE_INTEGER,
    from: filter.from ?? '-infinity',
    to: filter.to ?? 'infinity',
    merchantId: filter.merchantId ?? null,
    actorKind: filter.actor?.kind ?? null,
    actorId: filter.actor?.id ?? null,
    action: filter.action ?? null,
    subject: filter.subject ?? null,
    limit,
  });
  return rows.map(toEntry);
}

function pageFor({ subject, actor, action, merchantId: merchant }: EntryFilter) {
  if (subject !== undefined) return pageOfSubject;
  if (actor !== undefined) return pageOfActor;
  if (action !== undefined) return pageOfAction;
  return merchant === undefined ? pageOfAll : pageOfMerchant;
}

function toEntry(row: EntryRow): StoredEntry {
  return {
    id: Number(row.id),
    merchantId: merchantOf(tenantId(row.merchant_id)),
    actor: { kind: row.actor_kind, id: row.actor_id },
    action: row.action,
    subject: row.subject,
    fromState: row.from_state ?? undefined,
    toState: row.to_state ?? undefined,
    details: row.details,
    requestId: row.request_id ?? undefined,
    occurredAt: row.occurred_at,
  };
}

function merchantOf(tenant: TenantId): MerchantId | undefined {
  return tenant === instanceTenant ? undefined : tenant;
}
