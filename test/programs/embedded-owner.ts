/**
 * A service reduced to its database. It owns a data directory, reports events as lines of JSON, and with the task
 * `insert` inserts rows until it ends. SIGTERM stops it in order.
 */
import { Client } from 'pg';
import { StartupRefused } from '../../src/errors.js';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';

const [dataDirectory = '', task = 'idle', settings = '{}'] = process.argv.slice(2);
const report = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function own(): Promise<void> {
  const server = await startEmbeddedPostgres({
    dataDirectory,
    settings: JSON.parse(settings),
    say: (message) => report({ event: 'said', message }),
  });
  const { connectionString, processId } = server;
  report({ event: 'ready', connectionString, processId });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  if (task === 'insert') await insertForEver(connectionString);
}

async function insertForEver(connectionString: string): Promise<never> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS kept (id bigint PRIMARY KEY)');
  for (;;) {
    const { rows } = await client.query('INSERT INTO kept SELECT coalesce(max(id), 0) + 1 FROM kept RETURNING id::int');
    report({ event: 'inserted', id: rows[0].id });
  }
}

own().catch((error: Error) => {
  report({ event: error instanceof StartupRefused ? 'refused' : 'failed', message: error.message });
  process.exitCode = 1;
});
