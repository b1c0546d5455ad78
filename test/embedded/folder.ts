import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import {
  type EmbeddedServer,
  type EmbeddedServerOptions,
  startEmbeddedPostgres,
} from '../../src/postgres/embedded/server.js';
import { endEmbeddedServer } from '../harness/embedded-place.js';
import { copyNewCluster } from '../harness/new-cluster.js';

/** Does not wait for the disk. For tests that kill nothing. */
export const QUICK = { fsync: 'off' };

/** Creates a folder for one test. After the test, a server that still runs in it is stopped and the folder removed. */
export async function temporaryFolder(): Promise<{ outer: string; dataDirectory: string }> {
  const outer = await mkdtemp(join(tmpdir(), 'remesa-embedded-'));
  const dataDirectory = join(outer, 'data');
  onTestFinished(async () => {
    await endEmbeddedServer(dataDirectory);
    await rm(outer, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  return { outer, dataDirectory };
}

/** Creates a folder for one test with a new database in it. */
export async function folderWithDatabase(): Promise<{ outer: string; dataDirectory: string }> {
  const folder = await temporaryFolder();
  await copyNewCluster(folder.dataDirectory);
  return folder;
}

export interface Started extends EmbeddedServer {
  readonly messages: string[];
}

export async function start(dataDirectory: string, options: Partial<EmbeddedServerOptions> = {}): Promise<Started> {
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
