/** Refuses to move money by a row that somebody else has changed: its newest change remembers what it was. */
import { RemesaError } from '../errors.js';
import type { TenantId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';
import type { SealedChange } from './chain/sealed-change.js';
import { type DigestedRow, rowDigest } from './row.js';
import { findNewestChange } from './row-store.js';
import { sealedContent } from './seal.js';

/**
 * Whether the row, as it was read, is what its newest change left behind. Ask before money moves. It is one more indexed read,
 * which can be sent together with other statements.
 */
export async function isUntouched(
  tx: Transaction,
  merchantId: TenantId,
  { subject, row }: DigestedRow,
): Promise<boolean> {
  const newest = await findNewestChange(tx, merchantId, subject);
  return newest !== undefined && isGenuine(tx, newest) && newest.rowDigest?.equals(rowDigest(row)) === true;
}

/** The refusal to move money by a row that is not. */
export function tampered({ subject }: Pick<DigestedRow, 'subject'>): RemesaError {
  return new RemesaError(
    'unavailable',
    'ledger_fault',
    'New orders, payouts and refunds are stopped until the operator has examined the ledger.',
    { retryAfterSeconds: 600, cause: new Error(`${subject} is not what its newest change left behind`) },
  );
}

function isGenuine(tx: Transaction, change: SealedChange): boolean {
  return tx.seal(change.merchantId, sealedContent(change)).equals(change.seal);
}
