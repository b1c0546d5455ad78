/** Files to our banks, sealed as they were written. */
import { createHash } from 'node:crypto';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { addOutgoingFile, findOutgoingFile } from './outgoing-store.js';

export interface WrittenFile {
  readonly name: string;
  readonly accountId: string;
  readonly content: Buffer;
}

/** In hexadecimal digits, as `sha256sum` prints it. */
export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export class OutgoingFiles {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Returns the hash. Throws the error of the database when there is a file of this name. */
  async write(tx: Transaction, { name, accountId, content }: WrittenFile): Promise<string> {
    const hash = hashOf(content);
    await addOutgoingFile(tx, { name, accountId, hash, sealedContent: seal(this.#key, content, placeOf(name, hash)) });
    tx.wake(sendingJob);
    return hash;
  }

  /** The bytes that were written. Undefined when there is no such file. Throws `BrokenSeal`. */
  async read(database: Queryable, name: string): Promise<WrittenFile | undefined> {
    const stored = await findOutgoingFile(database, name);
    if (!stored) return undefined;
    const content = open(this.#key, stored.sealedContent, placeOf(name, stored.hash));
    return { name, accountId: stored.accountId, content };
  }
}

/** The job that sends files. */
export const sendingJob = 'bank.sending';

function placeOf(name: string, hash: string): string {
  return bindingOf('bank_outgoing_files', 'sealed_content', name, hash);
}
