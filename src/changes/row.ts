/** What a change remembers of the row that it leaves behind: a keyed hash of what identifies the content. Pure. */
import type { TenantId } from '../ids.js';
import type { Sealer } from '../keys/sealer.js';
import type { Queryable } from '../postgres/statement.js';

/**
 * The content of a row as a flat list. It has the version of a row that changes. It does not have what jobs touch
 * without a change, such as leases, nor what is sealed for itself.
 */
export type RowFields = readonly (string | number | bigint | boolean | Date | null | undefined)[];

/** A row and the subject of its changes. */
export interface DigestedRow {
  readonly subject: string;
  readonly row: RowFields;
}

/** The rows of one kind, which their room reads for verification. */
export interface RowSource {
  /** The subjects of the kind begin so, such as `order:`. */
  readonly prefix: string;
  /**
   * The subjects of rows after this one, in their order. Absent where rows come with the installation, without a
   * change.
   */
  list?(database: Queryable, merchantId: TenantId, after: string, limit: number): Promise<readonly string[]>;
  /** The rows of these subjects. Rows that do not exist are left out. */
  find(database: Queryable, merchantId: TenantId, subjects: readonly string[]): Promise<readonly DigestedRow[]>;
}

/** Nobody without the key can make the digest of another content. */
export function rowDigest(seal: Sealer, merchantId: TenantId, { subject, row }: DigestedRow): Buffer {
  const fields = row.map((field) => {
    if (field === undefined || field === null) return null;
    return field instanceof Date ? field.toISOString() : String(field);
  });
  return seal(merchantId, JSON.stringify(['row', subject, ...fields]));
}

/** The same text for the same value, in whatever order its members stand. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : typeof member === 'bigint'
        ? String(member)
        : member,
  );
}
