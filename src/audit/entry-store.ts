/** SQL that pages through the audit entries of the whole instance, for operators. */
import { type MerchantId, merchantId } from '../ids.js';
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
  merchant_id: bigint | null;
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
const filters = `id < $1 AND occurred_at >= $2 AND occurred_at < $3 AND ($4::bigint IS NULL OR merchant_id = $4)
  AND ($5::text IS NULL OR (actor_kind = $5 AND actor_id = $6)) AND ($7::text IS NULL OR action = $7)
  AND ($8::text IS NULL OR subject = $8)`;

// Each filter with an index has its own statement, because PostgreSQL uses no index for a condition that may be absent.
const pageOfSubject = statement<EntryRow>(
  'entry-store.page-of-subject',
  `SELECT ${columns} FROM audit_entries WHERE subject = $8 AND ${filters} ORDER BY id DESC LIMIT $9`,
);
const pageOfActor = statement<EntryRow>(
  'entry-store.page-of-actor',
  `SELECT ${columns} FROM audit_entries WHERE actor_kind = $5 AND actor_id = $6 AND ${filters}
    ORDER BY id DESC LIMIT $9`,
);
const pageOfAction = statement<EntryRow>(
  'entry-store.page-of-action',
  `SELECT ${columns} FROM audit_entries WHERE action = $7 AND ${filters} ORDER BY id DESC LIMIT $9`,
);
const pageOfMerchant = statement<EntryRow>(
  'entry-store.page-of-merchant',
  `SELECT ${columns} FROM audit_entries WHERE merchant_id = $4 AND ${filters} ORDER BY id DESC LIMIT $9`,
);
const pageOfAll = statement<EntryRow>(
  'entry-store.page-of-all',
  `SELECT ${columns} FROM audit_entries WHERE ${filters} ORDER BY id DESC LIMIT $9`,
);

/** Lists the newest entries first. `after` is the id of an entry; only older ones are returned. */
export async function listEntries(
  database: Queryable,
  filter: EntryFilter,
  after: number | undefined,
  limit: number,
): Promise<StoredEntry[]> {
  const rows = await database.query(pageFor(filter), [
    after ?? Number.MAX_SAFE_INTEGER,
    filter.from ?? '-infinity',
    filter.to ?? 'infinity',
    filter.merchantId ?? null,
    filter.actor?.kind ?? null,
    filter.actor?.id ?? null,
    filter.action ?? null,
    filter.subject ?? null,
    limit,
  ]);
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
    merchantId: row.merchant_id === null ? undefined : merchantId(row.merchant_id),
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
