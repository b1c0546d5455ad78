/**
 * Decides which machine of a Citus cluster has which table. Rows of a merchant lie on one machine, together. Every
 * machine has all other tables in full, so that a transaction that changes one of them and rows of a merchant commits
 * on all machines or on none. That also lets statements and triggers read them beside the rows of a merchant.
 */
import { limits } from '../connection.js';

export interface Table {
  readonly name: string;
  readonly hasMerchant: boolean;
  /** The tables that its foreign keys name. */
  readonly references: readonly string[];
  /** What Citus has made of it; undefined for an ordinary table. */
  readonly distribution: 'reference' | 'distributed' | undefined;
}

export type Place = 'reference' | 'distributed' | 'local';

export interface Placed extends Table {
  readonly place: Place;
}

/** They have a merchant_id, but are read to find the merchant, or beside the rows of all merchants. */
export const merchantReferenceTables: ReadonlySet<string> = new Set([
  'merchants',
  'merchant_secrets',
  'merchant_clocks',
]);
/** Migrations alone read and write it, on the coordinator. */
const localTables: ReadonlySet<string> = new Set(['schema_migrations']);

/** Places every table. A table comes after those that its foreign keys name. */
export function placeTables(tables: readonly Table[]): Placed[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Map<string, Table>();
  const add = (table: Table, path: readonly string[]): void => {
    if (ordered.has(table.name)) return;
    if (path.includes(table.name)) throw new Error(`foreign keys form a circle: ${[...path, table.name].join(', ')}`);
    for (const name of table.references) {
      const target = byName.get(name);
      if (target && target !== table) add(target, [...path, table.name]);
    }
    ordered.set(table.name, table);
  };
  for (const table of tables) add(table, []);
  return [...ordered.values()].map((table) => ({ ...table, place: placeOf(table) }));
}

function placeOf({ name, hasMerchant }: Table): Place {
  if (localTables.has(name)) return 'local';
  return hasMerchant && !merchantReferenceTables.has(name) ? 'distributed' : 'reference';
}

/** The tables that Citus does not have where they belong. */
export function misplaced(tables: readonly Table[]): Placed[] {
  return placeTables(tables).filter(({ place, distribution }) => place !== 'local' && place !== distribution);
}

/** The statements that bring the tables to their places, for a superuser on the coordinator. */
export function planOf(tables: readonly Table[], shardCount: number): string[] {
  const missing = misplaced(tables);
  const first = placeTables(tables).find(({ place }) => place === 'distributed')?.name;
  const references = missing.filter(({ place }) => place === 'reference');
  const distributed = missing.filter(({ place }) => place === 'distributed');
  return [
    ...settings,
    `SET citus.shard_count = ${shardCount};`,
    '-- The machines do not learn this limit from the coordinator.',
    `SELECT run_command_on_workers(format('ALTER DATABASE %I SET lock_timeout = ${limits.lockTimeoutMs}', current_database()));`,
    ...references.map(({ name }) => `SELECT create_reference_table('${name}');`),
    ...distributed.map(({ name }) => {
      const neighbour = name === first ? 'none' : first;
      return `SELECT create_distributed_table('${name}', 'merchant_id', colocate_with => '${neighbour}');`;
    }),
  ];
}

const settings = [
  '-- Our triggers look at OLD and NEW only, or at tables that every machine has.',
  'SET citus.enable_unsafe_triggers = on;',
  '-- Tables that nobody distributes stay ordinary tables.',
  'SET citus.enable_local_reference_table_foreign_keys = off;',
  '-- Needed as soon as there is data and a foreign key to a reference table.',
  "SET citus.multi_shard_modify_mode = 'sequential';",
];
