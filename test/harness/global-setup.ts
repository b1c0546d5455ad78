/**
 * One real PostgreSQL for all test files of both projects, with a migrated template that each file clones for itself.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { migrate } from '../../src/postgres/migrate.js';
import { withDatabaseName } from './database-url.js';
import { newFolderOfRun } from './folder-of-run.js';
import { watchMerchants } from './one-merchant.js';
import { bundlePrograms, programFolder } from './programs.js';
import { testedBinaries } from './tested-version.js';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** The other machines of a cluster, each with its part of every database. Empty on plain PostgreSQL. */
    otherServers: readonly string[];
    /** The migrated database that test files copy. */
    template: string;
    /** The folder of the bundled programs; empty when they run from TypeScript. */
    programFolder: string;
  }
}

interface Shared {
  readonly postgresUrl: string;
  readonly end: () => Promise<void>;
}

/** Each project of a run loads this module anew, so that what they share is kept by the process. */
const run = globalThis as { remesaTests?: { shared: Promise<Shared>; users: number } };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.remesaTests ??= { shared: start(), users: 0 };
  const tests = run.remesaTests;
  tests.users += 1;
  const { postgresUrl, end } = await tests.shared;
  project.provide('postgresUrl', postgresUrl);
  project.provide('otherServers', []);
  project.provide('template', 'remesa_template');
  project.provide('programFolder', programFolder);
  return async () => {
    tests.users -= 1;
    if (tests.users > 0) return;
    delete run.remesaTests;
    await end();
  };
}

async function start(): Promise<Shared> {
  const { folder, end } = newFolderOfRun();
  const dataDirectory = join(folder, 'server');
  // Durability is tested on servers of its own; here it would only cost time.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    // Databases that live for seconds need no upkeep.
    autovacuum: 'off',
    bgwriter_lru_maxpages: '0',
    checkpoint_timeout: '1h',
    jit: 'off',
    max_connections: '400',
    // Most statements run few times on a connection, and would be planned anew each time.
    plan_cache_mode: 'force_generic_plan',
    unix_socket_directories: join(dataDirectory, 'postgres'),
  };
  const binaries = await testedBinaries();
  const [server] = await Promise.all([
    startEmbeddedPostgres({ dataDirectory, settings, binaries, say: () => {} }),
    bundlePrograms(programFolder),
  ]);
  const postgresUrl = await throughSocket(server.connectionString, settings.unix_socket_directories);
  await makeTemplate(postgresUrl);
  return {
    postgresUrl,
    async end() {
      await server.stop();
      await end();
    },
  };
}

/**
 * Lets tests connect through a unix socket and without a password, which takes less processor time. Tests with a proxy
 * or with their own server still use TCP and a password.
 */
async function throughSocket(connectionString: string, folder: string): Promise<string> {
  const accessFile = join(folder, 'pg_hba.conf');
  writeFileSync(accessFile, `local all all trust\n${readFileSync(accessFile, 'utf8')}`);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('SELECT pg_reload_conf()');
  await client.end();
  const url = new URL(connectionString);
  url.searchParams.set('host', folder);
  return url.href;
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE remesa_template');
  const template = withDatabaseName(url, 'remesa_template');
  await migrate(template);
  const inTemplate = new pg.Client({ connectionString: template });
  await inTemplate.connect();
  await watchMerchants(inTemplate);
  await inTemplate.end();
  await client.query('ALTER DATABASE remesa_template WITH IS_TEMPLATE true ALLOW_CONNECTIONS false');
  await client.end();
}
