/** SQL that writes a change and reads the history of a subject. */
import { approverOf, authorOf, type By } from '../caller.js';
import { newPublicId, operatorId, type TenantId } from '../ids.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { traceparent } from '../tracing/tracing.js';
import { actorId, type Change, type Details, type NewChange, type SubjectRef } from './change.js';
import type { NewEvent } from './event.js';
import { type RowFields, rowDigest } from './row.js';
import { journalsDigest, objectDigest, type SealedFields, sealedContent } from './seal.js';

/**
 * Writes nothing when the row was changed since its newest change: no round trip more, and nobody can forget to ask.
 * `least` takes the time that the room has read, which is never later than now, and now where there is none.
 */
const insertChange = statement(
  'changes.insert',
  `INSERT INTO changes
     (merchant_id, actor_kind, actor_id, approved_by, approval_id, action, subject, from_state, to_state, details,
      request_id, version, public_version, event_id, channel, event_type, object, object_digest, previous_status,
      journal_ids, journals_digest, row_digest, occurred_at, seal, traceparent)
   SELECT $merchantId::bigint, $actorKind, $actorId, $approvedBy::bigint, $approvalId, $action, $subject, $fromState,
          $toState, $details::json, $requestId, $version::int, $publicVersion::int, $eventId, $channel, $eventType,
          $object, $objectDigest::bytea, $previousStatus, $journalIds::bigint[], $journalsDigest::bytea,
          $rowDigest::bytea, least($occurredAt::timestamptz, date_trunc('milliseconds', ${merchantNow})), $seal::bytea,
          $traceparent
    WHERE $digestBefore::bytea IS NULL
       OR $digestBefore::bytea = (SELECT row_digest FROM changes
                                   WHERE merchant_id = $merchantId AND subject = $subject AND version IS NOT NULL
                                     AND row_digest IS NOT NULL
                                   ORDER BY version DESC LIMIT 1)
   RETURNING 1 AS written`,
).rows<{ written: number }>();
interface HistoryRow {
  action: string;
  subject: string;
  actor_kind: string;
  actor_id: string;
  approved_by: bigint | null;
  from_state: string | null;
  to_state: string | null;
  details: Details;
  version: number;
  public_version: number | null;
  journal_ids: bigint[];
  occurred_at: Date;
  recorded_at: Date;
}
const historyColumns = `action, subject, actor_kind, actor_id, approved_by, from_state, to_state, details, version,
          public_version, journal_ids, occurred_at, recorded_at`;
const listOfSubject = statement(
  'changes.list-of-subject',
  `SELECT ${historyColumns} FROM changes
    WHERE merchant_id = $merchantId AND subject = $subject AND version IS NOT NULL ORDER BY version`,
).rows<HistoryRow>();
const listOfSubjects = statement(
  'changes.list-of-subjects',
  `SELECT ${historyColumns} FROM changes
    WHERE merchant_id = $merchantId AND subject = ANY ($subjects) AND version IS NOT NULL ORDER BY subject, version`,
).rows<HistoryRow>();

const findPosted = statement(
  'changes.find-posted',
  `SELECT 1 AS posted FROM changes
    WHERE merchant_id = $merchantId AND subject = ANY ($subjects) AND version IS NOT NULL AND journal_ids <> '{}' LIMIT 1`,
).rows<{ posted: number }>();

/** Writes the change under a seal. Returns false when somebody else has changed the row since its newest change. */
export async function addChange(tx: Transaction, by: By, change: NewChange): Promise<boolean> {
  const { merchantId, subject, event, journals = [], row, rowBefore, occurredAt = null } = change;
  const digestOf = (fields: RowFields | undefined) =>
    fields ? rowDigest(tx.seal, merchantId, { subject, row: fields }) : null;
  const author = authorOf(by);
  const { object, ...told } = toldOf(event);
  const fields: SealedFields = {
    merchantId,
    actorKind: author.kind,
    actorId: actorId(author),
    approvedBy: approverOf(by) ?? null,
    approvalId: by.approval?.approvalId ?? null,
    action: change.action,
    subject,
    fromState: change.fromState ?? null,
    toState: change.toState ?? null,
    details: JSON.stringify(change.details ?? {}),
    requestId: by.requestId ?? null,
    version: change.version ?? null,
    publicVersion: change.publicVersion ?? null,
    ...told,
    journalIds: journals.map(({ journalId }) => journalId),
    journalsDigest: journalsDigest(journals),
    rowDigest: digestOf(row),
  };
  const seal = tx.seal(merchantId, sealedContent(fields));
  const written = await tx.query(insertChange, {
    ...fields,
    object,
    occurredAt,
    seal,
    traceparent: traceparent() ?? null,
    digestBefore: digestOf(rowBefore),
  });
  return written.length > 0;
}

function toldOf(event: NewEvent | undefined) {
  if (!event)
    return { eventId: null, channel: null, eventType: null, object: null, objectDigest: null, previousStatus: null };
  const object = JSON.stringify(event.object);
  return {
    eventId: event.eventId ?? newPublicId('evt'),
    channel: event.channel,
    eventType: event.type,
    object,
    objectDigest: objectDigest(object),
    previousStatus: event.previousStatus,
  };
}

/** The changes that gave the subject a version, the oldest first. */
export async function listHistory(database: Queryable, { merchantId, subject }: SubjectRef): Promise<Change[]> {
  return (await database.query(listOfSubject, { merchantId, subject })).map(toChange);
}

/** The histories of several subjects, each with the oldest change first. */
export async function listHistories(
  database: Queryable,
  merchantId: TenantId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, readonly Change[]>> {
  const histories = new Map<string, Change[]>(subjects.map((subject) => [subject, []]));
  for (const row of await database.query(listOfSubjects, { merchantId, subjects }))
    histories.get(row.subject)?.push(toChange(row));
  return histories;
}

/** Whether money ever moved for one of these subjects. */
export async function hasPosted(
  database: Queryable,
  merchantId: TenantId,
  subjects: readonly string[],
): Promise<boolean> {
  return (await database.query(findPosted, { merchantId, subjects })).length > 0;
}

function toChange(row: HistoryRow): Change {
  return {
    action: row.action,
    subject: row.subject,
    actor: { kind: row.actor_kind, id: row.actor_id },
    approvedBy: row.approved_by === null ? undefined : operatorId(row.approved_by),
    fromState: row.from_state ?? undefined,
    toState: row.to_state ?? undefined,
    details: row.details,
    version: row.version,
    publicVersion: row.public_version ?? undefined,
    journalIds: row.journal_ids,
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
  };
}
