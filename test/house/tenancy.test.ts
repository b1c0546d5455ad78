/** Tenancy is checked by a machine: no statement of the service reaches past one merchant, but for a short list. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../harness/test-database.js';
import { tenancyFaults } from './tenancy/check.js';
import { functionFaults } from './tenancy/function-bodies.js';
import { readSchema, type Schema } from './tenancy/schema.js';
import { sourceStatements } from './tenancy/statements.js';
import { exemptStatements } from './tenancy-exemptions.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { statements, faults } = sourceStatements(root);
const { sql } = useTestDatabase();

let schema: Schema;
beforeAll(async () => {
  schema = await readSchema(sql);
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

  it('bind every tenant table that they touch to a merchant, but for the exempt ones, which all need it', async () => {
    const unexpected: string[] = [];
    const used = new Set<string>();
    for (const { name, sql: text, where } of statements) {
      const found = await tenancyFaults(text, schema);
      if (found.length > 0 && exemptStatements[name] !== undefined) used.add(name);
      else unexpected.push(...found.map((fault) => `${where} ${name}: ${fault}`));
    }
    expect(unexpected).toEqual([]);
    expect(Object.keys(exemptStatements).filter((name) => !used.has(name))).toEqual([]);
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

it('no function of the database reaches past one merchant', async () => {
  expect(await functionFaults(sql, schema)).toEqual([]);
});
