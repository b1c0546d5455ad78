/** SQL on files to our banks. Every machine of a cluster has the table in full. */
import { randomUUID } from 'node:crypto';
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
  `UPDATE bank_outgoing_files
      SET lease_token = $token, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE name = ANY (ARRAY(
      SELECT due.name FROM bank_outgoing_files AS due
       WHERE due.sent_at IS NULL AND due.account_id = ANY ($accountIds)
         AND (due.leased_until IS NULL OR due.leased_until <= statement_timestamp())
       ORDER BY due.written_at, due.name LIMIT 1 FOR UPDATE SKIP LOCKED))
   RETURNING name`,
).rows<{ name: string }>();
const markSent = statement(
  'outgoing-store.mark-sent',
  `UPDATE bank_outgoing_files SET sent_at = statement_timestamp(), lease_token = NULL, leased_until = NULL
    WHERE name = $name AND lease_token = $token AND sent_at IS NULL`,
);
const endLease = statement(
  'outgoing-store.end-lease',
  'UPDATE bank_outgoing_files SET lease_token = NULL, leased_until = NULL WHERE name = $name AND sent_at IS NULL',
);
const countFailure = statement(
  'outgoing-store.count-failure',
  `UPDATE bank_outgoing_files
      SET failures = failures + 1, lease_token = NULL, leased_until = clock.at + make_interval(secs => $seconds)
     FROM (SELECT statement_timestamp() AS at) AS clock
    WHERE name = $name AND lease_token = $token AND sent_at IS NULL`,
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

/** A file that one worker has. */
export interface ClaimedOutgoing {
  readonly name: string;
  readonly token: string;
}

/** The oldest that no worker has, of these accounts. */
export async function claimOutgoingFile(
  database: Database,
  accountIds: readonly string[],
  leaseSeconds: number,
): Promise<ClaimedOutgoing | undefined> {
  const token = randomUUID();
  const [row] = await database.write(claimFile, { accountIds, token, leaseSeconds });
  return row && { name: row.name, token };
}

/** Changes nothing when another worker has the file by now. */
export async function markFileSent(tx: Transaction, { name, token }: ClaimedOutgoing): Promise<void> {
  await tx.query(markSent, { name, token });
}

export async function countFailedSending(tx: Transaction, claimed: ClaimedOutgoing, seconds: number): Promise<void> {
  const { name, token } = claimed;
  await tx.query(countFailure, { name, token, seconds });
}

/** A worker that has it at this moment may send it too: the bytes are the same. */
export async function sendAgainNow(tx: Transaction, name: string): Promise<void> {
  await tx.query(endLease, { name });
}
