/** What customers and operators wrote, sealed under the retained key of the user. */
import type { OperatorId } from '../ids.js';
import { bindingOf, open } from '../keys/sealing.js';
import type { Queryable } from '../postgres/statement.js';
import type { Complaint } from './complaint.js';
import { listTextsOf, type StoredText } from './store.js';

export interface Written {
  readonly kind: StoredText['kind'];
  readonly text: string;
  readonly by: OperatorId | undefined;
  readonly at: Date;
}

/** A complaint, and everything that was written; nothing of that once the key of the user is gone. */
export interface ComplaintFile {
  readonly complaint: Complaint;
  readonly texts: readonly Written[];
}

export async function opened(
  database: Queryable,
  complaint: Complaint,
  key: Buffer | undefined,
): Promise<ComplaintFile> {
  const stored = key ? await listTextsOf(database, complaint) : [];
  const texts = stored.map(({ kind, number, sealedText, writtenBy, writtenAt }) => ({
    kind,
    text: key ? open(key, sealedText, placeOf(complaint, number)).toString() : '',
    by: writtenBy,
    at: writtenAt,
  }));
  return { complaint, texts };
}

export function placeOf({ merchantId, complaintId, userId }: Complaint, number: number): string {
  return bindingOf('complaint_texts', 'sealed_text', merchantId, userId, complaintId, number);
}
