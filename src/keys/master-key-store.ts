/**
 * SQL on the versions of the master key. The newest is the active one; there is an older one while the key is changed.
 */
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';

export interface MasterKeyRecord {
  readonly version: number;
  /** Recognises the key and reveals nothing about it. */
  readonly checkValue: Buffer;
  readonly sealedRootKey: Buffer;
}

interface MasterKeyRow {
  version: number;
  check_value: Buffer;
  sealed_root_key: Buffer;
}

const list = statement(
  'master-key-store.list',
  'SELECT version, check_value, sealed_root_key FROM master_keys ORDER BY version',
).rows<MasterKeyRow>();
const insert = statement(
  'master-key-store.insert',
  `INSERT INTO master_keys (version, check_value, sealed_root_key)
   VALUES ($version, $checkValue, $sealedRootKey) ON CONFLICT DO NOTHING`,
);
const deleteBefore = statement('master-key-store.delete-before', 'DELETE FROM master_keys WHERE version < $version');

/** The oldest first. */
export async function listMasterKeys(database: Queryable): Promise<MasterKeyRecord[]> {
  const rows = await database.query(list);
  return rows.map((row) => ({
    version: row.version,
    checkValue: row.check_value,
    sealedRootKey: row.sealed_root_key,
  }));
}

/** Does nothing if there is that version, so that nodes that start at once use the same root key. */
export async function addMasterKey(tx: Transaction, record: MasterKeyRecord): Promise<void> {
  await tx.query(insert, record);
}

/** Waits for transactions that wrap a key by an older version. Fails with 23503 while such a version wraps a key. */
export async function deleteMasterKeysBefore(tx: Transaction, version: number): Promise<void> {
  await tx.query(deleteBefore, { version });
}
