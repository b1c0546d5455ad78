/** A PostgreSQL of its own for one bench, as durable as the one of a service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { testMasterKey } from '../../test/harness/master-key.js';
import { notesTable } from '../../test/rooms/notes.js';
import { type Child, startChild } from './child.js';

export interface Place {
  readonly url: string;
  /** The service with the notes room, on this database. */
  startService(settings: Readonly<Record<string, string>>): Promise<Child>;
  end(): Promise<void>;
}

export async function makePlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-'));
  const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'database'), say: () => {} });
  const endAtOnce = () => {
    process.kill(server.processId, 'SIGQUIT');
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch {
      // A service that was just starting may still write there; the system cleans its temporary folder in time.
    }
  };
  // The server outlives whoever started it, so a bench that fails or is called off must end it.
  process.once('exit', endAtOnce);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  await client.query(notesTable);
  await client.end();
  return {
    url: server.connectionString,
    startService: (settings) =>
      startChild('service', [], {
        DATABASE_URL: server.connectionString,
        DATA_DIR: join(folder, 'service'),
        MASTER_KEY: testMasterKey,
        PORT: '0',
        REQUESTS_PER_MINUTE: '10000000',
        ...settings,
      }),
    async end() {
      process.off('exit', endAtOnce);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
