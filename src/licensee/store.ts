/** SQL on the record of the licensee. Every machine of a cluster has this table in full. */
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { Licensee, StoredLicensee } from './licensee.js';

interface LicenseeRow {
  terms: Licensee;
  version: number;
  updated_at: Date;
}

const findOnly = statement('licensee.find', 'SELECT terms, version, updated_at FROM licensee').rows<LicenseeRow>();
const saveOnly = statement(
  'licensee.save',
  `INSERT INTO licensee AS stored (terms) VALUES ($terms)
   ON CONFLICT (is_only) DO UPDATE SET terms = excluded.terms, version = stored.version + 1,
     updated_at = excluded.updated_at
   RETURNING terms, version, updated_at`,
).rows<LicenseeRow>();

export async function findLicensee(database: Queryable): Promise<StoredLicensee | undefined> {
  const [row] = await database.query(findOnly);
  return row && toLicensee(row);
}

export async function saveLicensee(tx: Transaction, licensee: Licensee): Promise<StoredLicensee> {
  const [row] = await tx.query(saveOnly, { terms: JSON.stringify(licensee) });
  if (!row) throw new Error('the licensee was not saved');
  return toLicensee(row);
}

function toLicensee({ terms, version, updated_at: updatedAt }: LicenseeRow): StoredLicensee {
  return { licensee: terms, version, updatedAt };
}
