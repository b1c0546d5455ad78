/** SQL on files of banks. Every machine of a cluster has these tables in full. */
import { randomUUID } from 'node:crypto';
import { type PublicId, storedPublicId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

export type FileId = PublicId<'bfl'>;

/** What could not be read, and where. */
export interface FileFault {
  readonly message: string;
  readonly line: number | null;
  readonly path: string;
}

export interface BankFile {
  readonly fileId: FileId;
  readonly accountId: string;
  readonly digest: string;
  readonly source: string;
  readonly format: string | undefined;
  readonly entries: number;
  readonly newLines: number;
  readonly faults: readonly FileFault[];
  readonly faultCount: number;
  readonly receivedAt: Date;
  readonly isFinished: boolean;
}

interface FileRow {
  file_id: string;
  account_id: string;
  digest: string;
  source: string;
  format: string | null;
  entries: number;
  new_lines: number;
  faults: FileFault[];
  fault_count: number;
  received_at: Date;
  finished_at: Date | null;
}

const columns = `file_id, account_id, digest, source, format, entries, new_lines, faults, fault_count, received_at, finished_at`;

const insertChunk = statement(
  'file-store.insert-chunk',
  'INSERT INTO bank_file_chunks (file_id, number, sealed) VALUES ($fileId, $number, $sealed)',
);
const insertFile = statement(
  'file-store.insert',
  `INSERT INTO bank_files (file_id, account_id, digest, source, size_bytes)
   VALUES ($fileId, $accountId, $digest, $source, $sizeBytes) ON CONFLICT (account_id, digest) DO NOTHING RETURNING ${columns}`,
).rows<FileRow>();
const findByDigest = statement(
  'file-store.find-by-digest',
  `SELECT ${columns} FROM bank_files WHERE account_id = $accountId AND digest = $digest`,
).rows<FileRow>();
const findById = statement(
  'file-store.find',
  `SELECT ${columns} FROM bank_files WHERE file_id = $fileId`,
).rows<FileRow>();
const claim = statement(
  'file-store.claim',
  `UPDATE bank_files
      SET lease_token = $token, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE file_id = ANY (ARRAY(SELECT waiting.file_id FROM bank_files AS waiting
       WHERE waiting.finished_at IS NULL AND (waiting.leased_until IS NULL OR waiting.leased_until <= statement_timestamp())
       ORDER BY waiting.received_at, waiting.file_id LIMIT 1 FOR UPDATE SKIP LOCKED))
   RETURNING ${columns}`,
).rows<FileRow>();
const progress = statement(
  'file-store.progress',
  `UPDATE bank_files SET leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds), entries = $entries,
          new_lines = new_lines + $newLines
    WHERE file_id = $fileId AND lease_token = $token AND finished_at IS NULL RETURNING file_id`,
).rows<{ file_id: string }>();
const finish = statement(
  'file-store.finish',
  `UPDATE bank_files SET finished_at = statement_timestamp(), lease_token = NULL, leased_until = NULL, format = $format,
          entries = $entries, faults = $faults, fault_count = $faultCount
    WHERE file_id = $fileId AND lease_token = $token AND finished_at IS NULL RETURNING file_id`,
).rows<{ file_id: string }>();
const dropChunks = statement('file-store.drop-chunks', 'DELETE FROM bank_file_chunks WHERE file_id = $fileId');
const readChunk = statement(
  'file-store.read-chunk',
  'SELECT sealed FROM bank_file_chunks WHERE file_id = $fileId AND number = $number',
).rows<{ sealed: Buffer }>();

export async function addChunk(tx: Transaction, fileId: FileId, number: number, sealed: Buffer): Promise<void> {
  await tx.query(insertChunk, { fileId, number, sealed });
}

export interface NewFile {
  readonly fileId: FileId;
  readonly accountId: string;
  readonly digest: string;
  readonly source: string;
  readonly sizeBytes: number;
}

/** Returns the file that has these bytes: this one, or one that was received before. */
export async function addFile(tx: Transaction, file: NewFile): Promise<BankFile> {
  const [added] = await tx.query(insertFile, { ...file });
  if (added) return toFile(added);
  await tx.query(dropChunks, { fileId: file.fileId });
  const [stored] = await tx.query(findByDigest, { accountId: file.accountId, digest: file.digest });
  if (!stored) throw new Error('a file that was received before is gone');
  return toFile(stored);
}

export async function findFile(database: Queryable, fileId: FileId): Promise<BankFile | undefined> {
  const [row] = await database.query(findById, { fileId });
  return row && toFile(row);
}

/** A file that one worker reads. */
export interface ClaimedFile extends BankFile {
  readonly token: string;
}

export async function claimNextFile(database: Database, leaseSeconds: number): Promise<ClaimedFile | undefined> {
  const token = randomUUID();
  const [row] = await database.write(claim, { token, leaseSeconds });
  return row && { ...toFile(row), token };
}

/** Returns false when another worker has the file by now. */
export async function saveProgress(
  tx: Transaction,
  { fileId, token }: ClaimedFile,
  read: { readonly entries: number; readonly newLines: number; readonly leaseSeconds: number },
): Promise<boolean> {
  return (await tx.query(progress, { fileId, token, ...read })).length > 0;
}

/**
 * The bytes stay while there is a fault: somebody may have to look at them. Returns false when another worker has the
 * file by now.
 */
export async function finishFile(
  tx: Transaction,
  { fileId, token }: ClaimedFile,
  finished: {
    readonly format: string | undefined;
    readonly entries: number;
    readonly faults: readonly FileFault[];
    readonly faultCount: number;
  },
): Promise<boolean> {
  const { format, entries, faultCount } = finished;
  const faults = JSON.stringify(finished.faults);
  const ended = await tx.query(finish, { fileId, token, format, entries, faultCount, faults });
  if (ended.length > 0 && faultCount === 0) await tx.query(dropChunks, { fileId });
  return ended.length > 0;
}

export async function findChunk(database: Queryable, fileId: FileId, number: number): Promise<Buffer | undefined> {
  return (await database.query(readChunk, { fileId, number }))[0]?.sealed;
}

function toFile(row: FileRow): BankFile {
  return {
    fileId: storedPublicId('bfl', row.file_id),
    accountId: row.account_id,
    digest: row.digest,
    source: row.source,
    format: row.format ?? undefined,
    entries: row.entries,
    newLines: row.new_lines,
    faults: row.faults,
    faultCount: row.fault_count,
    receivedAt: row.received_at,
    isFinished: row.finished_at !== null,
  };
}
