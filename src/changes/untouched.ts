/** Refuses to work on a row that somebody else has changed: its newest change remembers what it was. */
import { RemesaError } from '../errors.js';
import type { TenantId } from '../ids.js';
import type { SealedQueryable, Transaction } from '../postgres/statement.js';
import { type DigestedRow, rowDigest } from './row.js';
import { listNewestDigests } from './row-store.js';

interface AlteredOptions<Row> {
  /** Rows without a change came with the installation. */
  readonly areInstalled?: boolean;
  /**
   * The rows as they are now. Needed where nobody has locked them: the service itself may change a row after it was
   * read and before its newest change is.
   */
  readonly readAgain?: () => Promise<readonly Row[]>;
}

/**
 * The rows that are not, as they were read, what their newest changes left behind, with a report of each. Ask before
 * money moves by a row that is not changed itself: `recordChange` asks for the row that it is about.
 */
export async function findAltered<Row extends DigestedRow>(
  database: SealedQueryable,
  merchantId: TenantId,
  rows: readonly Row[],
  { areInstalled = false, readAgain }: AlteredOptions<Row> = {},
): Promise<readonly Row[]> {
  const differing = async (read: readonly Row[]) => {
    const subjects = read.map(({ subject }) => subject);
    const digests = await listNewestDigests(database, merchantId, subjects);
    return read.filter((row) => {
      const remembered = digests.get(row.subject);
      return remembered ? !remembered.equals(rowDigest(database.seal, merchantId, row)) : !areInstalled;
    });
  };
  const found = await differing(rows);
  const altered = found.length > 0 && readAgain ? await differing(await readAgain()) : found;
  for (const { subject } of altered) reportAltered(database, merchantId, subject);
  return altered;
}

/** Throws `ledger_fault` when somebody else has changed the row. `readAgain`: as for `findAltered`. */
export async function requireUntouched(
  tx: Transaction,
  merchantId: TenantId,
  row: DigestedRow,
  readAgain?: () => Promise<DigestedRow | undefined>,
): Promise<void> {
  const again = async () => {
    const now = await readAgain?.();
    return now ? [now] : [];
  };
  const [altered] = await findAltered(tx, merchantId, [row], readAgain ? { readAgain: again } : {});
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
