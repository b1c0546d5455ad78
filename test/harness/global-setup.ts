/** One real PostgreSQL for all test files, with a migrated template that each file clones for itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { migrate } from '../../src/postgres/migrate.js';
import { withDatabaseName } from './database-url.js';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-test-'));
  // Durability is tested on servers of its own; here it would only cost time.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '300',
  };
  const server = await startEmbeddedPostgres({ dataDirectory: folder, settings, say: () => {} });
  await makeTemplate(server.connectionString);
  project.provide('postgresUrl', server.connectionString);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE remesa_template');
  await migrate(withDatabaseName(url, 'remesa_template'));
  await client.query('ALTER DATABASE remesa_template WITH IS_TEMPLATE true ALLOW_CONNECTIONS false');
  await client.end();
}
