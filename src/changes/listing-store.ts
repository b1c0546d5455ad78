/** SQL that pages through the changes of the whole instance: the audit log that operators read. */
import { instanceTenant, type MerchantId, type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { Reference } from './change.js';

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
  readonly recordedAt: Date;
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
  recorded_at: Date;
  approved_by: bigint | null;
  approval_id: string | null;
}

const columns = `id, merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id,
  recorded_at, approved_by, approval_id`;
const filters = `id < $before AND recorded_at >= $from AND recorded_at < $to
   AND ($merchantId::bigint IS NULL OR merchant_id = $merchantId)
  AND ($actorKind::text IS NULL OR (actor_kind = $actorKind AND actor_id = $actorId))
    AND ($action::text IS NULL OR action = $action)
  AND ($subject::text IS NULL OR subject = $subject)`;

// Each filter with an index has its own statement, because PostgreSQL uses no index for a condition that may be absent.
const pageOfSubject = statement(
  'listing-store.page-of-subject',
  `SELECT ${columns} FROM changes WHERE subject = $subject AND ${filters} ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfActor = statement(
  'listing-store.page-of-actor',
  `SELECT ${columns} FROM changes WHERE actor_kind = $actorKind AND actor_id = $actorId AND ${filters}
    ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfAction = statement(
  'listing-store.page-of-action',
  `SELECT ${columns} FROM changes WHERE action = $action AND ${filters} ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfMerchant = statement(
  'listing-store.page-of-merchant',
  `SELECT ${columns} FROM changes WHERE merchant_id = $merchantId AND ${filters}
     ORDER BY id DESC LIMIT $limit`,
).rows<EntryRow>();
const pageOfAll = statement(
  'listing-store.page-of-all',
  `SELECT ${columns} FROM changes WHERE ${filters} ORDER BY id DESC LIMIT $limit`,
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
    details: { ...row.details, ...approvalOf(row) },
    requestId: row.request_id ?? undefined,
    recordedAt: row.recorded_at,
  };
}

function merchantOf(tenant: TenantId): MerchantId | undefined {
  return tenant === instanceTenant ? undefined : tenant;
}

/** Under four eyes: the actor asked, and another operator approved. */
function approvalOf({ actor_id, approved_by, approval_id }: EntryRow): Readonly<Record<string, unknown>> {
  if (approved_by === null) return {};
  return { approvalId: approval_id, requestedBy: `operator:${actor_id}`, approvedBy: `operator:${approved_by}` };
}
