/** A stored journal as numbering and verification read it: every column as the database writes it. */
import type { TenantId } from '../../ids.js';
import type { Posting } from '../journal.js';
import { type PostingRow, toPostings } from '../store.js';
import type { SealedFields } from './seal.js';

export interface SealedRow {
  journal_id: bigint;
  event: string;
  reverses: bigint | null;
  reason: string | null;
  occurred_at: string;
  recorded_at: string;
  seal: Buffer;
  postings: (readonly [...PostingRow, position: number])[] | null;
}

export interface SealedJournal extends SealedFields {
  readonly seal: Buffer;
  readonly postings: readonly (Posting & { readonly position: number })[];
}

export const sealedColumns = `journal.journal_id, journal.event, journal.reverses, journal.reason, journal.seal,
          to_char(journal.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS occurred_at,
          to_char(journal.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS recorded_at,
          (SELECT json_agg(json_build_array(posting.account, posting.amount_minor::text, posting.reference, posting.position)
                           ORDER BY posting.position)
             FROM ledger_postings AS posting
            WHERE posting.merchant_id = journal.merchant_id AND posting.journal_id = journal.journal_id) AS postings`;

export function toSealed(merchantId: TenantId, row: SealedRow): SealedJournal {
  const rows = row.postings ?? [];
  const postings = toPostings(rows.map(([account, minor, reference]) => [account, minor, reference]));
  return {
    merchantId,
    journalId: row.journal_id,
    event: row.event,
    ...(row.reverses === null ? {} : { reverses: row.reverses }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    seal: row.seal,
    postings: postings.map((posting, index) => ({ ...posting, position: rows[index]?.[3] ?? 0 })),
  };
}
