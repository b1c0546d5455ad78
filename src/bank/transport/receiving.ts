/**
 * Fetches the files of the banks: each is stored before it is put aside at the bank, so that none is lost, and none is
 * stored twice.
 */
import { createHash } from 'node:crypto';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable } from '../../postgres/failure.js';
import { type BankConnection, isSafeName, type OfferedFile } from './connection.js';
import { addIncomingFile } from './incoming-store.js';
import { hashOf } from './outgoing.js';

export interface FileReceivingOptions {
  readonly database: Database;
  readonly key: Buffer;
  readonly connections: readonly BankConnection[];
  readonly log: Log;
  /** The job that reads stored files. */
  readonly nextJob: string;
}

/** The job that fetches files. */
export const receivingJob = 'bank.receiving';

const mostBytes = 64 * 1024 * 1024;
const filesAtOnce = 100;
const answerWithinMs = 120_000;

export class FileReceiving {
  readonly #options: FileReceivingOptions;

  constructor(options: FileReceivingOptions) {
    this.#options = options;
  }

  /** A bank that does not answer keeps no other waiting for long. Returns how many files came. */
  async run(signal: AbortSignal): Promise<number> {
    let count = 0;
    for (const connection of this.#options.connections) count += await this.#fetchAll(connection, signal);
    return count;
  }

  /** A file that cannot be fetched keeps no other waiting, unless the bank takes too long to say so. */
  async #fetchAll(connection: BankConnection, signal: AbortSignal): Promise<number> {
    const { log } = this.#options;
    const within = () => AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    const failed = (err: unknown, file?: string) =>
      log.warn({ connection: connection.name, file, err }, 'files of a bank could not be fetched');
    let count = 0;
    try {
      const offered = await connection.list(within());
      const failing = within();
      for (const file of offered.slice(0, filesAtOnce)) {
        try {
          if (await this.#fetch(connection, file, within())) count += 1;
        } catch (error) {
          if (isDatabaseUnavailable(error)) throw error;
          failed(error, file.name);
          if (failing.aborted) break;
        }
      }
    } catch (error) {
      failed(error);
    }
    return count;
  }

  /** Returns whether the file is new. One that is too long, or whose name no folder takes, stays where it is. */
  async #fetch(connection: BankConnection, { name, bytes }: OfferedFile, signal: AbortSignal): Promise<boolean> {
    const { database, key, nextJob } = this.#options;
    const shortName = name.replaceAll(/\p{Cc}/gu, ' ').slice(0, 255);
    const problem = problemOf({ name, bytes });
    if (problem !== undefined) {
      const digest = hashOf(Buffer.from(`${connection.name} ${name} ${bytes}`));
      const faults = [{ message: `${problem} It was left at the bank.`, line: null, path: null }];
      const file = { digest, connection: connection.name, name: shortName, state: 'FAULTY', faults } as const;
      return database.transaction((tx) => addIncomingFile(tx, { ...file, sealedContent: undefined }));
    }
    const content = await connection.get(name, mostBytes, signal);
    const digest = digestOf(connection, content);
    const file = { digest, connection: connection.name, name: shortName, state: 'RECEIVED', faults: [] } as const;
    const sealedContent = seal(key, content, placeOf(digest));
    const isNew = await database.transaction(async (tx) => {
      tx.wake(nextJob);
      return addIncomingFile(tx, { ...file, sealedContent });
    });
    await connection.archive(name, signal);
    return isNew;
  }
}

/** The same file is one file, whatever its name. Through another connection it is about other accounts. */
function digestOf({ name }: BankConnection, content: Buffer): string {
  return createHash('sha256').update(`${name}\n`).update(content).digest('hex');
}

function problemOf({ name, bytes }: OfferedFile): string | undefined {
  if (bytes > mostBytes) return `It has more than ${mostBytes} bytes.`;
  return isSafeName(name) ? undefined : 'Its name is none that a folder has.';
}

/** Throws `BrokenSeal`. */
export function openIncomingFile(key: Buffer, digest: string, sealedContent: Buffer): Buffer {
  return open(key, sealedContent, placeOf(digest));
}

function placeOf(digest: string): string {
  return bindingOf('bank_incoming_files', 'sealed_content', digest);
}
