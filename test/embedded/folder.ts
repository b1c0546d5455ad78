import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { parsePostmasterFile } from '../../src/postgres/embedded/postmaster-file.js';
import { isRunning, isServerOf } from '../../src/postgres/embedded/running-process.js';
import {
  type EmbeddedServer,
  type EmbeddedServerOptions,
  startEmbeddedPostgres,
} from '../../src/postgres/embedded/server.js';
import { eventually } from '../harness/eventually.js';

/** Does not wait for the disk. For tests that kill nothing. */
export const QUICK = { fsync: 'off' };

/** Creates a folder for one test. After the test, a server that still runs in it is stopped and the folder removed. */
export async function temporaryFolder(): Promise<{ outer: string; dataDirectory: string }> {
  const outer = await mkdtemp(join(tmpdir(), 'remesa-embedded-'));
  const dataDirectory = join(outer, 'data');
  onTestFinished(async () => {
    await endServerIn(dataDirectory);
    await rm(outer, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  return { outer, dataDirectory };
}

let template: Promise<string> | undefined;

/** Call it in each file that uses `folderWithDatabase`: the files of a worker share this module, but not its hooks. */
export function removeTemplateAfterAll(): void {
  afterAll(async () => {
    const created = template;
    template = undefined;
    if (created !== undefined) await rm(await created, { recursive: true, force: true });
  });
}

/** Creates a folder with a copy of a database that is created once per file, because creating one takes a second. */
export async function folderWithDatabase(): Promise<{ outer: string; dataDirectory: string }> {
  template ??= createTemplate();
  const folder = await temporaryFolder();
  // `cp` is ten times as fast as `fs.cp`.
  await promisify(execFile)('cp', ['-R', '-p', await template, folder.dataDirectory]);
  return folder;
}

async function createTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'remesa-embedded-template-'));
  const server = await startEmbeddedPostgres({
    dataDirectory: directory,
    settings: QUICK,
    say: () => undefined,
  });
  await server.stop();
  return directory;
}

export async function postmasterOf(dataDirectory: string) {
  const content = await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  return parsePostmasterFile(content);
}

async function endServerIn(dataDirectory: string): Promise<void> {
  const server = await postmasterOf(dataDirectory);
  if (server === undefined || !(await isServerOf(server.processId, join(dataDirectory, 'postgres')))) return;
  process.kill(server.processId, 'SIGCONT');
  process.kill(server.processId, 'SIGQUIT');
  await eventually(() => !isRunning(server.processId), { what: 'the end of the server' });
}

export interface Started extends EmbeddedServer {
  readonly messages: string[];
}

export async function start(
  dataDirectory: string,
  options: Partial<EmbeddedServerOptions> = {},
): Promise<Started> {
  const messages: string[] = [];
  const server = await startEmbeddedPostgres({
    dataDirectory,
    settings: QUICK,
    say: (message) => messages.push(message),
    ...options,
  });
  onTestFinished(() => server.stop());
  return { ...server, messages };
}

export async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
