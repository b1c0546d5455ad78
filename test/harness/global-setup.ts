/** One real PostgreSQL for all test files of both projects, with a migrated template that each file clones for itself. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { migrate } from '../../src/postgres/migrate.js';
import { withDatabaseName } from './database-url.js';
import { endEmbeddedServer } from './embedded-place.js';
import { compilePrograms, root } from './programs.js';
import { testedBinaries } from './tested-version.js';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** The other machines of a cluster, each with its part of every database. Empty on plain PostgreSQL. */
    otherServers: readonly string[];
    /** The migrated database that test files copy. */
    template: string;
    /** The folder of the compiled test programs; empty when they run from TypeScript. */
    compiledPrograms: string;
  }
}

const prefix = 'remesa-test-';

interface Shared {
  readonly postgresUrl: string;
  readonly compiledPrograms: string;
  readonly end: () => Promise<void>;
}

/** Each project of a run loads this module anew, so that what they share is kept by the process. */
const run = globalThis as { remesaTests?: { shared: Promise<Shared>; users: number } };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.remesaTests ??= { shared: start(), users: 0 };
  const tests = run.remesaTests;
  tests.users += 1;
  const { postgresUrl, compiledPrograms, end } = await tests.shared;
  project.provide('postgresUrl', postgresUrl);
  project.provide('otherServers', []);
  project.provide('template', 'remesa_template');
  project.provide('compiledPrograms', compiledPrograms);
  return async () => {
    tests.users -= 1;
    if (tests.users > 0) return;
    delete run.remesaTests;
    await end();
  };
}

async function start(): Promise<Shared> {
  await endServersOfDeadRuns();
  const folder = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(folder, 'run-by'), String(process.pid));
  // Durability is tested on servers of its own; here it would only cost time.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '400',
  };
  const binaries = await testedBinaries();
  const server = await startEmbeddedPostgres({ dataDirectory: folder, settings, binaries, say: () => {} });
  await makeTemplate(server.connectionString);
  const programs = join(root, 'test-output', basename(folder));
  return {
    postgresUrl: server.connectionString,
    compiledPrograms: await compilePrograms(programs),
    async end() {
      await server.stop();
      for (const made of [folder, programs]) rmSync(made, { recursive: true, force: true });
    },
  };
}

/** A run that was killed could not stop its server: the next one does. */
async function endServersOfDeadRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const runBy = ownerOf(folder);
    if (runBy === undefined || isAlive(runBy)) continue;
    await endEmbeddedServer(folder);
    for (const left of [folder, join(root, 'test-output', name)])
      rmSync(left, { recursive: true, force: true });
  }
}

/** Undefined when the folder is just being made or removed by another run. */
function ownerOf(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'run-by'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE remesa_template');
  await migrate(withDatabaseName(url, 'remesa_template'));
  await client.query('ALTER DATABASE remesa_template WITH IS_TEMPLATE true ALLOW_CONNECTIONS false');
  await client.end();
}
