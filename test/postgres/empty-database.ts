/** Creates an empty database for one test. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { withDatabaseName } from '../harness/database-url.js';

export interface EmptyDatabase {
  readonly url: string;
  query(text: string): Promise<Record<string, unknown>[]>;
}

export async function emptyDatabase(): Promise<EmptyDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const url = withDatabaseName(inject('postgresUrl'), name);
  await query(inject('postgresUrl'), `CREATE DATABASE ${name} TEMPLATE template0`);
  onTestFinished(async () => {
    await query(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, query: (text) => query(url, text) };
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
