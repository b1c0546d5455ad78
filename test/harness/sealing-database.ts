/** A database whose transactions seal what they record, as those of a service on it do. */
import { sealerOf } from '../../src/keys/sealer.js';
import { KeyVault } from '../../src/keys/vault.js';
import { Database } from '../../src/postgres/database.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { testMasterKey } from './master-key.js';

export class SealingDatabase extends Database {
  /** Of the instance. A test with another one sets it before its first transaction. */
  masterKey: Buffer = Buffer.from(testMasterKey, 'base64');
  readonly #sealBefore = this.seal;
  #keys: Promise<void> | undefined;

  /** Takes the keys of the instance before the first transaction. A new database gets them, as from its first service. */
  override async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (this.seal === this.#sealBefore) {
      this.#keys ??= this.#takeKeys();
      await this.#keys;
    }
    return super.transaction(work);
  }

  async #takeKeys(): Promise<void> {
    const plain = new Database(this.connectionString, { poolSize: 1 });
    const { rootKey } = await KeyVault.open(plain, { current: this.masterKey, previous: undefined }).finally(() =>
      plain.close(),
    );
    this.seal = sealerOf(rootKey);
  }
}
