/**
 * A change: who did what to what. It contains ids, states and names of fields but no personal data, so nothing of it is
 * ever erased.
 */
import type { Actor, Author } from '../caller.js';
import type { MerchantId, OperatorId, TenantId } from '../ids.js';
import type { NewEvent } from './event.js';
import type { RowFields } from './row.js';

/** A change as a room records it. */
export interface NewChange {
  /** The merchant whose rows the transaction writes, or the instance. */
  readonly merchantId: TenantId;
  /** What was done as `room.verb`, such as `merchant.suspended`. */
  readonly action: string;
  /** What it was done to as `kind:id`, such as `merchant:7`. */
  readonly subject: string;
  readonly fromState?: string | null | undefined;
  readonly toState?: string | undefined;
  readonly details?: Details | undefined;
  /** Of the subject after the change. A change with a version belongs to the history of its subject. */
  readonly version?: number;
  /** The version that merchants see. Absent when they do not see the change. */
  readonly publicVersion?: number | undefined;
  /** What the merchant is told. Absent when it is told nothing. */
  readonly event?: NewEvent | undefined;
  /** The content of the row as the change leaves it. Such a change has a version. */
  readonly row?: RowFields;
  /** The content of the row as it was read. Absent for a new row. */
  readonly rowBefore?: RowFields | undefined;
  /** The journals that the change wrote. */
  readonly journals?: readonly WrittenJournal[];
  /** By the merchant's clock, where the room has read it. */
  readonly occurredAt?: Date;
}

type Detail = string | number | boolean | null | readonly string[];
export type Details = Readonly<Record<string, Detail | Readonly<Record<string, Detail>>>>;

/** The fields that differ, with the values before and after, for the details of a change. */
export function changedFields<Fields extends Readonly<Record<string, Detail>>>(
  before: Fields | undefined,
  after: Fields,
): { readonly before: Record<string, Detail>; readonly after: Record<string, Detail> } {
  const names = Object.keys(after).filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
  const valuesIn = (fields: Fields | undefined) =>
    Object.fromEntries(names.map((name): [string, Detail] => [name, fields?.[name] ?? null]));
  return { before: before ? valuesIn(before) : {}, after: valuesIn(after) };
}

/** A journal of the ledger and its seal. */
export interface WrittenJournal {
  readonly journalId: bigint;
  readonly seal: Buffer;
}

/** A change in the history of its subject. */
export interface Change {
  readonly action: string;
  readonly subject: string;
  readonly actor: Reference;
  readonly approvedBy: OperatorId | undefined;
  readonly fromState: string | undefined;
  readonly toState: string | undefined;
  readonly details: Details;
  readonly version: number;
  readonly publicVersion: number | undefined;
  readonly journalIds: readonly bigint[];
  /** By the merchant's clock. */
  readonly occurredAt: Date;
  /** In real time. */
  readonly recordedAt: Date;
}

/** Names the records of one merchant that have a history. */
export interface SubjectRef {
  readonly merchantId: TenantId;
  readonly subject: string;
}

/** Identifies an actor or a subject. `operator:3` is the operator with the id 3. */
export interface Reference {
  readonly kind: string;
  readonly id: string;
}

/** Reads `kind:id`. The id may contain colons. */
export function referenceOf(text: string): Reference {
  const colon = text.indexOf(':');
  return colon < 0 ? { kind: text, id: '' } : { kind: text.slice(0, colon), id: text.slice(colon + 1) };
}

export function actorId(actor: Actor | Author): string {
  switch (actor.kind) {
    case 'merchant':
      return String(actor.merchantId);
    case 'user':
      return String(actor.userId);
    case 'operator':
      return String(actor.operatorId);
    case 'system':
      return actor.name;
  }
}

/** Whether the change is one of a merchant, and not one of the instance. */
export function isOfMerchant(merchantId: TenantId): merchantId is MerchantId {
  return merchantId !== 0;
}
