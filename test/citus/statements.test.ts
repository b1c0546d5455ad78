/** Every statement of the service runs on a distributed schema, also with the plan that PostgreSQL keeps for it. */
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { useTestDatabase } from '../harness/test-database.js';
import { sourceStatements } from '../house/tenancy/statements.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { sql } = useTestDatabase();
/** PostgreSQL may keep a plan after five executions. */
const executions = 7;
/** Run outside of transactions, by maintenance. */
const unpreparable = /^\s*(VACUUM|CREATE)/;
/** Only for tables that are not distributed. */
const forPlainPostgres = new Set(['rates.insert-quotes']);

it('Citus refuses no statement', { timeout: 600_000 }, async () => {
  const client = await sql.connect();
  const refused: string[] = [];
  for (const { name, sql: text } of sourceStatements(root).statements) {
    if (unpreparable.test(text) || forPlainPostgres.has(name)) continue;
    const fault = await refusal(client, text);
    if (fault !== undefined) refused.push(`${name}: ${fault}`);
  }
  client.release();
  expect(refused).toEqual([]);
});

/** Constraints may refuse the values, which mean nothing; Citus must not refuse the statement. */
async function refusal(client: pg.PoolClient, text: string): Promise<string | undefined> {
  try {
    await client.query(`PREPARE tried AS ${text}`);
    const { rows } = await client.query<{ types: string[] }>(
      "SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'tried'",
    );
    const values = (rows[0]?.types ?? []).map(sampleOf).join(', ');
    for (let count = 0; count < executions; count += 1) {
      const fault = await execute(client, values === '' ? 'EXECUTE tried' : `EXECUTE tried (${values})`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.query('DEALLOCATE ALL');
  }
}

async function execute(client: pg.PoolClient, text: string): Promise<string | undefined> {
  await client.query('BEGIN');
  try {
    await client.query(text);
    return undefined;
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError;
    // 22: data, 23: constraints. A machine of the cluster may report a constraint without its code.
    const isOfValues = /^2[23]/.test(code) || message.includes('violates');
    return isOfValues ? undefined : `${code} ${message}`;
  } finally {
    await client.query('ROLLBACK');
  }
}

function sampleOf(type: string): string {
  if (type.endsWith('[]')) return `ARRAY[${sampleOf(type.slice(0, -2))}]::${type}`;
  const samples: Record<string, string> = {
    boolean: 'true',
    bytea: "decode(repeat('00', 32), 'hex')",
    date: "'2026-01-01'",
    interval: "'1 hour'",
    json: "'{}'",
    jsonb: "'{}'",
    text: "'x'",
    uuid: "'00000000-0000-0000-0000-000000000001'",
    'timestamp with time zone': "'2026-01-01'",
  };
  return `${samples[type] ?? '1'}::${type}`;
}
