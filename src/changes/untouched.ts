/** Refuses to work on a row that somebody else has changed: its newest change remembers what it was. */
import { RemesaError } from '../errors.js';
import type { TenantId } from '../ids.js';
import type { SealedQueryable, Transaction } from '../postgres/statement.js';
import { type DigestedRow, rowDigest } from './row.js';
import { listNewestDigests } from './row-store.js';

/**
 * The rows that are not, as they were read, what their newest changes left behind, with a report of each. Ask before
 * money moves by a row that is not changed itself: `recordChange` asks for the row that it is about. `areInstalled`:
 * rows without a change came with the installation.
 */
export async function findAltered<Row extends DigestedRow>(
  database: SealedQueryable,
  merchantId: TenantId,
  rows: readonly Row[],
  { areInstalled = false } = {},
): Promise<Row[]> {
  const subjects = rows.map(({ subject }) => subject);
  const digests = await listNewestDigests(database, merchantId, subjects);
  const altered = rows.filter((row) => {
    const remembered = digests.get(row.subject);
    return remembered ? !remembered.equals(rowDigest(database.seal, merchantId, row)) : !areInstalled;
  });
  for (const { subject } of altered) reportAltered(database, merchantId, subject);
  return altered;
}

/** Throws `ledger_fault` when somebody else has changed one of the rows. */
export async function requireUntouched(
  tx: Transaction,
  merchantId: TenantId,
  ...rows: readonly DigestedRow[]
): Promise<void> {
  const [altered] = await findAltered(tx, merchantId, rows);
  if (altered) throw refusalOf(altered.subject);
}

/** Reports the row, and returns the refusal to work on it. */
export function refuseAltered(tx: Transaction, merchantId: TenantId, subject: string): RemesaError {
  reportAltered(tx, merchantId, subject);
  return refusalOf(subject);
}

function reportAltered(database: SealedQueryable, merchantId: TenantId, subject: string): void {
  database.reportFault(merchantId, `${subject} was changed`);
}

function refusalOf(subject: string): RemesaError {
  return new RemesaError(
    'unavailable',
    'ledger_fault',
    'New orders, payouts and refunds are stopped until the operator has examined the ledger.',
    { retryAfterSeconds: 600, cause: new Error(`${subject} is not what its newest change left behind`) },
  );
}
