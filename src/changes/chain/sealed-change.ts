/** A stored change as numbering and verification read it: every column as the database writes it. */
import { type TenantId, tenantId } from '../../ids.js';
import { type Channel, type EventId, testEventType } from '../event.js';
import type { SealedFields } from '../seal.js';

export interface SealedRow {
  merchant_id: bigint;
  id: bigint;
  actor_kind: string;
  actor_id: string;
  approved_by: bigint | null;
  approval_id: string | null;
  action: string;
  subject: string;
  from_state: string | null;
  to_state: string | null;
  details: string;
  request_id: string | null;
  version: number | null;
  public_version: number | null;
  event_id: EventId | null;
  channel: Channel | null;
  event_type: string | null;
  object_digest: Buffer | null;
  previous_status: string | null;
  journal_ids: bigint[];
  journals_digest: Buffer | null;
  row_digest: Buffer | null;
  occurred_at: string;
  recorded_at: string;
  seal: Buffer;
}

export interface SealedChange extends SealedFields {
  readonly merchantId: TenantId;
  readonly id: bigint;
  readonly eventId: EventId | null;
  /** The channel in which its event has a number. */
  readonly channel: Channel | null;
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly seal: Buffer;
}

/** A change at its place in the chain. */
export interface ChainedLink extends SealedChange {
  readonly number: bigint;
  readonly hash: Buffer;
  readonly sequence: bigint | null;
}

export const sealedColumns = `merchant_id, id, actor_kind, actor_id, approved_by, approval_id, action, subject, from_state,
          to_state, details::text AS details, request_id, version, public_version, event_id, channel, event_type,
          object_digest, previous_status, journal_ids, journals_digest, row_digest, seal,
          to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS occurred_at,
          to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS recorded_at`;

export function toSealedChange(row: SealedRow): SealedChange {
  return {
    merchantId: tenantId(row.merchant_id),
    id: row.id,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    approvedBy: row.approved_by,
    approvalId: row.approval_id,
    action: row.action,
    subject: row.subject,
    fromState: row.from_state,
    toState: row.to_state,
    details: row.details,
    requestId: row.request_id,
    version: row.version,
    publicVersion: row.public_version,
    eventId: row.event_id,
    channel: row.channel,
    eventType: row.event_type,
    objectDigest: row.object_digest,
    previousStatus: row.previous_status,
    journalIds: row.journal_ids,
    journalsDigest: row.journals_digest,
    rowDigest: row.row_digest,
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    seal: row.seal,
  };
}

/** The channel in which the event of the change gets a number. Tests are not numbered. */
export function numberedChannel({ channel, eventType }: SealedChange): Channel | undefined {
  return eventType === testEventType ? undefined : (channel ?? undefined);
}
