/** Sends written files to the banks, the oldest first. A file that may have arrived is sent again, byte for byte. */
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { listBankAccounts } from '../accounts/bank-account-store.js';
import { type BankConnection, connectionOf } from './connection.js';
import type { OutgoingFiles } from './outgoing.js';
import { claimOutgoingFile, countFailedSending, markFileSent } from './outgoing-store.js';

export interface FileSendingOptions {
  readonly database: Database;
  readonly files: OutgoingFiles;
  readonly connections: readonly BankConnection[];
  readonly log: Log;
  /** The job that goes on once a file has arrived. */
  readonly nextJob: string;
}

/** Longer than one file may take. */
const leaseSeconds = 180;
const answerWithinMs = 120_000;
const againAfterSeconds = 60;

export class FileSending {
  readonly #options: FileSendingOptions;

  constructor(options: FileSendingOptions) {
    this.#options = options;
  }

  /** Sends one file, and returns whether there was one. */
  async run(signal: AbortSignal): Promise<number> {
    const { database, files, connections } = this.#options;
    const accounts = await listBankAccounts(database);
    const connected = accounts
      .map(({ accountId }) => accountId)
      .filter((accountId) => connectionOf(connections, accountId));
    const claimed = await claimOutgoingFile(database, connected, leaseSeconds);
    if (!claimed) return 0;
    const { name } = claimed;
    const file = await files.read(database, name);
    const connection = file && connectionOf(connections, file.accountId);
    if (!connection) throw new Error(`the file ${name} has no connection`);
    const within = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    try {
      await connection.put(file, within);
    } catch (err) {
      this.#options.log.warn({ file: name, connection: connection.name, err }, 'a file did not reach the bank');
      await database.transaction((tx) => countFailedSending(tx, claimed, againAfterSeconds));
      return 0;
    }
    await database.transaction(async (tx) => {
      await markFileSent(tx, claimed);
      tx.wake(this.#options.nextJob);
    });
    return 1;
  }
}
