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

/** For tests that don't kill anything: nothing is waited for on the disk. */
export const QUICK = { fsync: 'off' };

/** A folder for one test; whatever server runs in it when the test is over is ended, and the folder removed. */
export async function temporaryPlace(): Promise<{ outer: string; dataDirectory: string }> {
  const outer = await mkdtemp(join(tmpdir(), 'remesa-embedded-'));
  const dataDirectory = join(outer, 'data');
  onTestFinished(async () => {
    await endServerIn(dataDirectory);
    await rm(outer, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  return { outer, dataDirectory };
}

let template: Promise<string> | undefined;

/** To be called in each file that uses `placeWithDatabase`: files of a worker share this module, but not its hooks. */
export function removeTemplateAfterAll(): void {
  afterAll(async () => {
    const made = template;
    template = undefined;
    if (made !== undefined) await rm(await made, { recursive: true, force: true });
  });
}

/** The same with a database in it that was made once for all tests of a file, because making one takes a second. */
export async function placeWithDatabase(): Promise<{ outer: string; dataDirectory: string }> {
  template ??= makeTemplate();
  const place = await temporaryPlace();
  // Ten times as fast as fs.cp.
  await promisify(execFile)('cp', ['-R', '-p', await template, place.dataDirectory]);
  return place;
}

async function makeTemplate(): Promise<string> {
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
  await eventually(() => !isRunning(server.processId), { what: 'the end of a left-over server' });
}

export interface Started extends EmbeddedServer {
  readonly said: string[];
}

export async function start(
  dataDirectory: string,
  options: Partial<EmbeddedServerOptions> = {},
): Promise<Started> {
  const said: string[] = [];
  const server = await startEmbeddedPostgres({
    dataDirectory,
    settings: QUICK,
    say: (message) => said.push(message),
    ...options,
  });
  onTestFinished(() => server.stop());
  return { ...server, said };
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
