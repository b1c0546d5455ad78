/** SQL on files to our banks. Every machine of a cluster has the table in full. */
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

const insertFile = statement(
  'outgoing-store.insert',
  `INSERT INTO bank_outgoing_files (name, account_id, hash, sealed_content)
   VALUES ($name, $accountId, $hash, $sealedContent)`,
);
const findFile = statement(
  'outgoing-store.find',
  'SELECT name, account_id, hash, sealed_content FROM bank_outgoing_files WHERE name = $name',
).rows<{ name: string; account_id: string; hash: string; sealed_content: Buffer }>();
const claimFile = statement(
  'outgoing-store.claim',
  `UPDATE bank_outgoing_files SET lease_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE name = (
      SELECT due.name FROM bank_outgoing_files AS due
       WHERE due.sent_at IS NULL AND due.account_id = ANY ($accountIds)
         AND (due.lease_until IS NULL OR due.lease_until <= statement_timestamp())
       ORDER BY due.written_at, due.name LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING name`,
).rows<{ name: string }>();
const markSent = statement(
  'outgoing-store.mark-sent',
  `UPDATE bank_outgoing_files SET sent_at = statement_timestamp(), lease_until = NULL
    WHERE name = $name AND sent_at IS NULL RETURNING name`,
).rows<{ name: string }>();
const endLease = statement(
  'outgoing-store.end-lease',
  'UPDATE bank_outgoing_files SET lease_until = NULL WHERE name = $name AND sent_at IS NULL',
);
const countFailure = statement(
  'outgoing-store.count-failure',
  `UPDATE bank_outgoing_files SET failures = failures + 1, lease_until = clock.at + make_interval(secs => $seconds)
     FROM (SELECT statement_timestamp() AS at) AS clock
    WHERE name = $name AND sent_at IS NULL`,
);

export interface OutgoingRow {
  readonly name: string;
  readonly accountId: string;
  readonly hash: string;
  readonly sealedContent: Buffer;
}

export async function addOutgoingFile(tx: Transaction, file: OutgoingRow): Promise<void> {
  await tx.query(insertFile, { ...file });
}

export async function findOutgoingFile(database: Queryable, name: string): Promise<OutgoingRow | undefined> {
  const [row] = await database.query(findFile, { name });
  return row && { name: row.name, accountId: row.account_id, hash: row.hash, sealedContent: row.sealed_content };
}

/** The oldest that no worker has, of these accounts. */
export async function claimOutgoingFile(
  database: Database,
  accountIds: readonly string[],
  leaseSeconds: number,
): Promise<string | undefined> {
  return (await database.write(claimFile, { accountIds, leaseSeconds }))[0]?.name;
}

/** Returns false when another worker has recorded it. */
export async function markFileSent(tx: Transaction, name: string): Promise<boolean> {
  return (await tx.query(markSent, { name })).length > 0;
}

export async function countFailedSending(tx: Transaction, name: string, seconds: number): Promise<void> {
  await tx.query(countFailure, { name, seconds });
}

/** A worker that has it at this moment may send it too: the bytes are the same. */
export async function sendAgainNow(tx: Transaction, name: string): Promise<void> {
  await tx.query(endLease, { name });
}
