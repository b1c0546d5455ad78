/**
 * A service reduced to its database: owns a data directory, tells what happens in lines of JSON, and inserts rows
 * for as long as it lives when it is asked to. Ends in order on SIGTERM.
 */
import { Client } from 'pg';
import { StartupRefused } from '../../src/errors.js';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';

const [dataDirectory = '', task = 'idle', settings = '{}'] = process.argv.slice(2);
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function own(): Promise<void> {
  const began = performance.now();
  const server = await startEmbeddedPostgres({
    dataDirectory,
    settings: JSON.parse(settings),
    say: (said) => tell({ event: 'said', said }),
  });
  const { connectionString, adopted, processId } = server;
  tell({ event: 'ready', connectionString, adopted, processId, tookMs: performance.now() - began });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  if (task === 'insert') await insertForEver(connectionString);
}

async function insertForEver(connectionString: string): Promise<never> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS kept (id bigint PRIMARY KEY)');
  for (;;) {
    const { rows } = await client.query(
      'INSERT INTO kept SELECT coalesce(max(id), 0) + 1 FROM kept RETURNING id::int',
    );
    tell({ event: 'inserted', id: rows[0].id });
  }
}

const began = performance.now();
own().catch((error: Error) => {
  const tookMs = performance.now() - began;
  tell({ event: error instanceof StartupRefused ? 'refused' : 'failed', message: error.message, tookMs });
  process.exitCode = 1;
});
