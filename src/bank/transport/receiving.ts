/**
 * Fetches the files of the banks: each is stored before it is put aside at the bank, so that none is lost, and none is
 * stored twice.
 */
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { BankConnection, OfferedFile } from './connection.js';
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
    for (const connection of this.#options.connections) {
      const within = () => AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
      try {
        const offered = await connection.list(within());
        for (const file of offered.slice(0, filesAtOnce)) if (await this.#fetch(connection, file, within())) count += 1;
      } catch (err) {
        this.#options.log.warn({ connection: connection.name, err }, 'the files of a bank could not be fetched');
      }
    }
    return count;
  }

  /** Returns whether the file is new. One that is too long stays where it is. */
  async #fetch(connection: BankConnection, { name, bytes }: OfferedFile, signal: AbortSignal): Promise<boolean> {
    const { database, key, nextJob } = this.#options;
    const shortName = name.slice(0, 255);
    if (bytes > mostBytes) {
      const digest = hashOf(Buffer.from(`${connection.name} ${name} ${bytes}`));
      const faults = [
        { message: `It has more than ${mostBytes} bytes. It was left at the bank.`, line: null, path: null },
      ];
      const file = { digest, connection: connection.name, name: shortName, state: 'FAULTY', faults } as const;
      return database.transaction((tx) => addIncomingFile(tx, { ...file, sealedContent: undefined }));
    }
    const content = await connection.get(name, mostBytes, signal);
    const digest = hashOf(content);
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

/** Throws `BrokenSeal`. */
export function openIncomingFile(key: Buffer, digest: string, sealedContent: Buffer): Buffer {
  return open(key, sealedContent, placeOf(digest));
}

function placeOf(digest: string): string {
  return bindingOf('bank_incoming_files', 'sealed_content', digest);
}
