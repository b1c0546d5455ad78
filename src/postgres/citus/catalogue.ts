/** SQL that reads the tables of this database, and what Citus has made of them. */
import { type Queryable, statement } from '../statement.js';
import type { Table } from './plan.js';

interface TableRow {
  name: string;
  has_merchant: boolean;
  targets: string[];
}

const listTables = statement(
  'catalogue.list-tables',
  `SELECT t.relname::text AS name,
          EXISTS (SELECT 1 FROM pg_attribute AS m
                   WHERE m.attrelid = t.oid AND m.attname = 'merchant_id' AND NOT m.attisdropped) AS has_merchant,
          ARRAY (SELECT DISTINCT target.relname::text FROM pg_constraint AS k
                   JOIN pg_class AS target ON target.oid = k.confrelid
                  WHERE k.conrelid = t.oid AND k.contype = 'f' ORDER BY 1) AS targets
     FROM pg_class AS t
    WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition AND t.relnamespace = current_schema()::regnamespace
    ORDER BY t.relname`,
).rows<TableRow>();
const findCitus = statement(
  'catalogue.find-citus',
  "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS found",
).rows<{ found: boolean }>();
/** Citus marks a table that is spread by the hash of a column with `h`, and one that every machine has with `n`. */
const listDistributed = statement(
  'catalogue.list-distributed',
  `SELECT t.relname::text AS name, d.partmethod::text AS method
     FROM pg_dist_partition AS d JOIN pg_class AS t ON t.oid = d.logicalrelid`,
).rows<{ name: string; method: string }>();

export async function readTables(database: Queryable): Promise<Table[]> {
  const distributions = await readDistributions(database);
  return (await database.query(listTables)).map((row) => ({
    name: row.name,
    hasMerchant: row.has_merchant,
    references: row.targets,
    distribution: distributions.get(row.name),
  }));
}

/** Whether rows of different merchants may lie on different machines. */
export async function isDistributed(database: Queryable): Promise<boolean> {
  return [...(await readDistributions(database)).values()].includes('distributed');
}

async function readDistributions(
  database: Queryable,
): Promise<ReadonlyMap<string, NonNullable<Table['distribution']>>> {
  if (!(await database.query(findCitus))[0]?.found) return new Map();
  const rows = await database.query(listDistributed);
  return new Map(rows.map(({ name, method }) => [name, method === 'h' ? 'distributed' : 'reference']));
}
