/** What the seal of a change covers: everything that the service gave. Pure. */
import { createHash } from 'node:crypto';
import type { TenantId } from '../ids.js';
import type { WrittenJournal } from './change.js';

/** The columns of a change that its seal covers, as the database stores them. */
export interface SealedFields {
  readonly merchantId: TenantId;
  readonly actorKind: string;
  readonly actorId: string;
  readonly approvedBy: bigint | number | null;
  readonly approvalId: string | null;
  readonly action: string;
  readonly subject: string;
  readonly fromState: string | null;
  readonly toState: string | null;
  /** JSON as it was written. */
  readonly details: string;
  readonly requestId: string | null;
  readonly version: number | null;
  readonly publicVersion: number | null;
  readonly eventId: string | null;
  readonly channel: string | null;
  readonly eventType: string | null;
  readonly objectDigest: Buffer | null;
  readonly previousStatus: string | null;
  readonly journalIds: readonly bigint[];
  readonly journalsDigest: Buffer | null;
  readonly rowDigest: Buffer | null;
}

export function sealedContent(fields: SealedFields): string {
  return JSON.stringify([
    fields.merchantId,
    fields.actorKind,
    fields.actorId,
    fields.approvedBy === null ? null : Number(fields.approvedBy),
    fields.approvalId,
    fields.action,
    fields.subject,
    fields.fromState,
    fields.toState,
    fields.details,
    fields.requestId,
    fields.version,
    fields.publicVersion,
    fields.eventId,
    fields.channel,
    fields.eventType,
    hexOf(fields.objectDigest),
    fields.previousStatus,
    fields.journalIds.map(String),
    hexOf(fields.journalsDigest),
    hexOf(fields.rowDigest),
  ]);
}

export function objectDigest(object: string): Buffer {
  return createHash('sha256').update(object).digest();
}

/** Null for a change without journals. */
export function journalsDigest(journals: readonly WrittenJournal[]): Buffer | null {
  if (journals.length === 0) return null;
  const seals = journals.map(({ journalId, seal }) => [String(journalId), seal.toString('hex')]);
  return createHash('sha256').update(JSON.stringify(seals)).digest();
}

function hexOf(bytes: Buffer | null): string | null {
  return bytes?.toString('hex') ?? null;
}
