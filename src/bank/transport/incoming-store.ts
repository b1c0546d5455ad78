/** SQL on files from our banks. Every machine of a cluster has the table in full. */
import { randomUUID } from 'node:crypto';
import type { OperatorId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { FileFault, IncomingFile, IncomingState } from './incoming-file.js';

interface FileRow {
  digest: string;
  connection: string;
  name: string;
  state: IncomingState;
  format: string | null;
  faults: FileFault[];
  received_at: Date;
  is_settled: boolean;
}
const columns =
  'digest, connection, name, state, format, faults, received_at, settled_at IS NOT NULL AS is_settled' as const;

const insertFile = statement(
  'incoming-store.insert',
  `INSERT INTO bank_incoming_files (digest, connection, name, sealed_content, state, faults)
   VALUES ($digest, $connection, $name, $sealedContent, $state, $faults)
       ON CONFLICT (digest) DO UPDATE SET state = excluded.state, faults = excluded.faults, settled_at = NULL, settled_by = NULL
       WHERE bank_incoming_files.state = 'FAULTY' AND bank_incoming_files.format IS NULL
         AND bank_incoming_files.sealed_content IS NOT NULL AND excluded.state = 'RECEIVED'
   RETURNING digest`,
).rows<{ digest: string }>();
const claimFile = statement(
  'incoming-store.claim',
  `UPDATE bank_incoming_files
      SET lease_token = $token, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE digest = ANY (ARRAY(
      SELECT due.digest FROM bank_incoming_files AS due
       WHERE due.state = 'RECEIVED' AND (due.leased_until IS NULL OR due.leased_until <= statement_timestamp())
       ORDER BY due.received_at, due.digest LIMIT 1 FOR UPDATE SKIP LOCKED))
   RETURNING digest, connection, name, sealed_content`,
).rows<{ digest: string; connection: string; name: string; sealed_content: Buffer }>();
const finishFile = statement(
  'incoming-store.finish',
  `UPDATE bank_incoming_files
      SET state = $state, format = $format, faults = $faults, lease_token = NULL, leased_until = NULL
    WHERE digest = $digest AND state = 'RECEIVED' AND lease_token = $token RETURNING digest`,
).rows<{ digest: string }>();
const listNewest = statement(
  'incoming-store.list',
  `SELECT ${columns} FROM bank_incoming_files WHERE state = ANY ($states) ORDER BY received_at DESC, digest LIMIT $limit`,
).rows<FileRow>();
const settleFile = statement(
  'incoming-store.settle',
  `UPDATE bank_incoming_files SET settled_at = statement_timestamp(), settled_by = $operator
    WHERE digest = $digest AND state = 'FAULTY' AND settled_at IS NULL RETURNING ${columns}`,
).rows<FileRow>();
const listTasks = statement(
  'incoming-store.list-tasks',
  `SELECT digest, name, faults, (extract(epoch FROM received_at) * 1000000)::bigint::text AS at_micros
     FROM bank_incoming_files
    WHERE state = 'FAULTY' AND settled_at IS NULL
      AND (received_at, digest) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR digest = $only)
    ORDER BY received_at, digest LIMIT $limit`,
).rows<{ digest: string; name: string; faults: FileFault[]; at_micros: string }>();

/** Returns false for a file that is stored. */
export async function addIncomingFile(
  tx: Transaction,
  file: Pick<IncomingFile, 'digest' | 'connection' | 'name' | 'state' | 'faults'> & {
    readonly sealedContent: Buffer | undefined;
  },
): Promise<boolean> {
  return (await tx.query(insertFile, { ...file, faults: JSON.stringify(file.faults) })).length > 0;
}

/** A file that one worker reads. */
export interface ClaimedIncoming {
  readonly digest: string;
  readonly connection: string;
  readonly name: string;
  readonly sealedContent: Buffer;
  readonly token: string;
}

/** The oldest that no worker reads. */
export async function claimIncomingFile(
  database: Database,
  leaseSeconds: number,
): Promise<ClaimedIncoming | undefined> {
  const token = randomUUID();
  const [row] = await database.write(claimFile, { token, leaseSeconds });
  if (!row) return undefined;
  const { digest, connection, name } = row;
  return { digest, connection, name, sealedContent: row.sealed_content, token };
}

/** Returns false when another worker has the file by now. */
export async function finishIncomingFile(
  tx: Transaction,
  { digest, token }: Pick<ClaimedIncoming, 'digest' | 'token'>,
  result: Pick<IncomingFile, 'state' | 'format' | 'faults'>,
): Promise<boolean> {
  const faults = JSON.stringify(result.faults);
  const { state, format } = result;
  return (await tx.query(finishFile, { digest, token, state, format, faults })).length > 0;
}

/** The newest first. */
export async function listIncomingFiles(
  database: Queryable,
  states: readonly IncomingState[],
  limit: number,
): Promise<IncomingFile[]> {
  return (await database.query(listNewest, { states, limit })).map(toFile);
}

/** Undefined when no such file waits for an operator. */
export async function settleIncomingFile(
  tx: Transaction,
  digest: string,
  operator: OperatorId,
): Promise<IncomingFile | undefined> {
  const [row] = await tx.query(settleFile, { digest, operator });
  return row && toFile(row);
}

export async function listFileTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  return (await database.query(listTasks, pageValues(page))).map(({ digest, name, faults, at_micros }) => ({
    id: digest,
    merchantId: undefined,
    sinceMicros: BigInt(at_micros),
    summary: `Examine the file ${name} of a bank: ${describe(faults)}`,
    path: '/operator/bank/files',
  }));
}

function describe([first, ...others]: readonly FileFault[]): string {
  if (!first) return 'it has faults.';
  const place = [first.line === null ? '' : `line ${first.line}`, first.path ?? ''].filter(Boolean).join(', ');
  const more = others.length > 0 ? ` And ${others.length} more.` : '';
  return `${first.message}${place && ` (${place})`}${more}`;
}

function toFile(row: FileRow): IncomingFile {
  return {
    digest: row.digest,
    connection: row.connection,
    name: row.name,
    state: row.state,
    format: row.format ?? undefined,
    faults: row.faults,
    receivedAt: row.received_at,
    isSettled: row.is_settled,
  };
}
