/** The plan that distributes a database covers every table of the migrations. */
import { describe, expect, it } from 'vitest';
import { isDistributed, readTables } from '../../src/postgres/citus/catalogue.js';
import { misplaced, placeTables, planOf, type Table } from '../../src/postgres/citus/plan.js';
import { useTestDatabase } from '../harness/test-database.js';

const { database, sql } = useTestDatabase();

describe('the plan of a migrated database', () => {
  it('gives every table of the schema a place: by merchant, or in full on every machine', async () => {
    const { rows } = await sql.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    const placed = placeTables(await readTables(database));
    expect(placed.map(({ name }) => name).sort()).toEqual(rows.map(({ tablename }) => tablename).sort());
    expect(placed.filter(({ place }) => place === 'local').map(({ name }) => name)).toEqual(['schema_migrations']);
    const spread = placed.filter(({ place }) => place === 'distributed');
    expect(spread.filter(({ hasMerchant }) => !hasMerchant)).toEqual([]);
    expect(spread.length).toBeGreaterThan(20);
  });

  it('calls for each table once, after the tables that its foreign keys name', async () => {
    const tables = await readTables(database);
    const calls = planOf(tables, 32).filter((line) => line.startsWith('SELECT create_'));
    const names = calls.map((call) => /'(\w+)'/.exec(call)?.[1] ?? '');
    expect(names.toSorted()).toEqual(
      misplaced(tables)
        .map(({ name }) => name)
        .toSorted(),
    );
    for (const { name, references } of tables.filter((table) => names.includes(table.name)))
      for (const target of references.filter((table) => table !== name))
        expect(names.indexOf(target), name).toBeLessThan(names.indexOf(name));
  });

  it('is told from a distributed one', async () => {
    expect(await isDistributed(database)).toBe(false);
  });
});

describe('the plan of a database that is distributed already', () => {
  const table = (name: string, more: Partial<Table>): Table => ({
    ...{ name, hasMerchant: true, references: [], distribution: 'distributed' },
    ...more,
  });

  it('adds only the tables that a new version brought', () => {
    const tables = [table('orders', {}), table('refunds', { references: ['orders'], distribution: undefined })];
    expect(planOf(tables, 8).filter((line) => line.startsWith('SELECT create_'))).toEqual([
      "SELECT create_distributed_table('refunds', 'merchant_id', colocate_with => 'orders');",
    ]);
  });

  it('refuses foreign keys that form a circle', () => {
    const tables = [table('left', { references: ['right'] }), table('right', { references: ['left'] })];
    expect(() => placeTables(tables)).toThrow('circle');
  });
});
