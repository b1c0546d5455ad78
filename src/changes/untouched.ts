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
  const compare = async (read: readonly Row[]): Promise<Compared<Row>[]> => {
    const digests = await listNewestDigests(
      database,
      merchantId,
      read.map(({ subject }) => subject),
    );
    return read.map((row) => {
      const seal = (digested: DigestedRow) => rowDigest(database.seal, merchantId, digested);
      return { row, digest: seal(row), remembered: digests.get(row.subject) };
    });
  };
  const differs = ({ digest, remembered }: Compared<Row>) => (remembered ? !remembered.equals(digest) : !areInstalled);
  let altered = (await compare(rows)).filter(differs);
  for (let again = 0; readAgain && altered.length > 0 && again < mostReadings; again += 1) {
    const before = altered;
    altered = (await compare(await readAgain())).filter(differs);
    // What stays the same between two readings is not being changed.
    if (altered.every((row) => before.some((earlier) => isSame(earlier, row)))) break;
    if (again === mostReadings - 1) altered = [];
  }
  for (const { row } of altered) reportAltered(database, merchantId, row.subject);
  return altered.map(({ row }) => row);
}

/** A row that the service changes all the time is not one that somebody else has changed. */
const mostReadings = 5;

interface Compared<Row> {
  readonly row: Row;
  readonly digest: Buffer;
  /** What the newest change remembers. */
  readonly remembered: Buffer | undefined;
}

function isSame(left: Compared<DigestedRow>, right: Compared<DigestedRow>): boolean {
  const isRemembered = left.remembered?.toString('hex') === right.remembered?.toString('hex');
  return left.row.subject === right.row.subject && left.digest.equals(right.digest) && isRemembered;
}

/** Throws `ledger_fault` when somebody else has changed the row. `readAgain`: as for `findAltered`. */
export async function requireUntouched(
  database: SealedQueryable,
  merchantId: TenantId,
  row: DigestedRow,
  readAgain?: () => Promise<DigestedRow | undefined>,
): Promise<void> {
  const again = async () => {
    const now = await readAgain?.();
    return now ? [now] : [];
  };
  const [altered] = await findAltered(database, merchantId, [row], readAgain ? { readAgain: again } : {});
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
