/**
 * Files of banks: received once, whole, and read by a job. What cannot be read of a file is a fault with its place; the
 * rest counts.
 */
import { createHash } from 'node:crypto';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant, newPublicId, publicId } from '../../ids.js';
import { digestOf } from '../../keys/sealing.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { recordOf } from '../accounts/service.js';
import type { LineSealer } from '../lines/content.js';
import { addChunk, addFile, type BankFile, findFile } from './file-store.js';

export const readFileJob = 'bank.files';
/** The source of a file that an operator uploaded. */
export const uploaded = 'upload';
const chunkBytes = 256 * 1024;
const largestBytes = 1024 * 1024 * 1024;

export interface ReceivedFile {
  readonly accountId: string;
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** `upload`, or the name of the transport. */
  readonly source: string;
}

export class BankFileService {
  readonly #sealer: LineSealer;

  constructor(sealer: LineSealer) {
    this.#sealer = sealer;
  }

  /**
   * Stores a file of an account; a job reads it next. The same bytes again are the same file. The account must be
   * known. Throws `invalid_fields` for an empty file, and for one of more than a gigabyte.
   */
  async receiveFile(tx: Transaction, by: By, { accountId, bytes, source }: ReceivedFile): Promise<BankFile> {
    const fileId = newPublicId('bfl');
    const hash = createHash('sha256');
    let [sizeBytes, number] = [0, 0];
    for await (const part of bytes) {
      for (let start = 0; start < part.length; start += chunkBytes) {
        const chunk = part.subarray(start, start + chunkBytes);
        hash.update(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes > largestBytes) throw invalidField('file', 'too_long', 'must have at most 1 GB');
        await addChunk(tx, fileId, number, this.#sealer.sealChunk(fileId, number, chunk));
        number += 1;
      }
    }
    if (sizeBytes === 0) throw invalidField('file', 'required', 'is empty');
    const file = await addFile(tx, { fileId, accountId, digest: hash.digest('base64url'), source, sizeBytes });
    if (file.fileId !== fileId) return file;
    const { digest } = file;
    const details = { digest, source, fileId };
    const subject = recordOf({ accountId });
    await recordChange(tx, by, { merchantId: instanceTenant, action: 'statement_file.received', subject, details });
    tx.wake(readFileJob);
    return file;
  }

  /** Throws `statement_file_not_found`. */
  async find(database: Queryable, accountId: string, id: string): Promise<BankFile> {
    const fileId = publicId('bfl', id);
    const file = fileId && (await findFile(database, fileId));
    if (file?.accountId === accountId) return file;
    throw new RemesaError('not_found', 'statement_file_not_found', 'There is no such file of this account.');
  }

  /** The same file waits for a second person only once. */
  review(accountId: string, file: Buffer) {
    const digest = digestOf(file);
    return { subject: `statement_file:${accountId}.${digest}`, version: digest, records: [recordOf({ accountId })] };
  }
}
