/** Tenancy is checked by a machine: no statement of the service reaches past one merchant, but for a short list. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/postgres/migrate.js';
import { useTestDatabase } from '../harness/test-database.js';
import { tenancyFaults } from './tenancy/check.js';
import { functionFaults } from './tenancy/function-bodies.js';
import { keyFaults } from './tenancy/key-faults.js';
import { isTenantTable, readSchema, type Schema } from './tenancy/schema.js';
import { sourceStatements } from './tenancy/statements.js';
import { exemptFunctions, exemptStatements, exemptTables } from './tenancy-exemptions.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { statements, faults } = sourceStatements(root);
const migrations = readMigrations().map((migration) => migration.sql);
const { sql } = useTestDatabase();

/** A statement, table or function by its name, and what is wrong with it. */
type Finding = readonly [name: string, faults: readonly string[]];

let schema: Schema;
beforeAll(async () => {
  schema = await readSchema(migrations);
});

/** Reads a table that exists only where Citus is installed; `npm run test:citus` runs it. */
const onlyOnCitus = 'catalogue.list-distributed';

describe('the statements of the source', () => {
  it('can all be read, and no SQL stands outside of them', () => {
    expect(faults).toEqual([]);
    expect(statements.length).toBeGreaterThan(0);
  });

  it('have names of their own, in the form room.verb-noun, short enough for the server', () => {
    const wrong = statements.filter(({ name, rooms }) => {
      const [room = ''] = name.split('.');
      // PostgreSQL cuts a name after 63 bytes, and two statements would become one.
      return !/^[a-z-]+\.[a-z]+(-[a-z0-9]+)*$/.test(name) || !rooms.includes(room) || name.length > 63;
    });
    const all = statements.map(({ name }) => name);
    const twice = statements.filter(({ name }, index) => all.indexOf(name) !== index);
    expect([...wrong, ...twice].map(({ name, where }) => `${where}: ${name}`)).toEqual([]);
  });

  it('bind every tenant table that they touch to a merchant', async () => {
    const found = await Promise.all(
      statements.map(async ({ name, sql: text, where }): Promise<Finding> => {
        const each = await tenancyFaults(text, schema);
        return [name, each.map((fault) => `${where} ${name}: ${fault}`)];
      }),
    );
    expectOnlyExempt(found, exemptStatements);
  });

  it('are accepted by the database', async () => {
    const refused: string[] = [];
    const preparable = statements.filter(
      ({ name, sql: text }) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text) && name !== onlyOnCitus,
    );
    for (const [index, { name, sql: text, where }] of preparable.entries()) {
      await sql
        .query(`PREPARE check_${index} AS ${text}`)
        .catch((error: Error) => refused.push(`${where} ${name}: ${error.message}`));
    }
    expect(refused).toEqual([]);
  });
});

describe('the migrations', () => {
  it('key every tenant table by its merchant and let no foreign key cross merchants', () => {
    expectOnlyExempt(keyFaults(schema), exemptTables);
  });

  it('define no function that reaches past one merchant', async () => {
    expectOnlyExempt(await functionFaults(migrations, schema), exemptFunctions);
  });

  it('are read as PostgreSQL reads them: the same tables have a merchant_id', async () => {
    const { rows } = await sql.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
        WHERE column_name = 'merchant_id' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const tenants = [...schema.keys()].filter((key) => isTenantTable(schema, key));
    expect(rows.map((row) => row.name).sort()).toEqual(tenants.sort());
  });
});

/** Exactly the exempt ones have faults: an exemption that nothing needs must go. */
function expectOnlyExempt(found: Iterable<Finding>, exempt: Readonly<Record<string, string>>): void {
  const faulty = [...found].filter(([, each]) => each.length > 0);
  const names = faulty.map(([name]) => name);
  const stopped = faulty.filter(([name]) => exempt[name] === undefined).flatMap(([, each]) => each);
  const needless = Object.keys(exempt).filter((name) => !names.includes(name));
  expect({ stopped, needless }).toEqual({ stopped: [], needless: [] });
}
