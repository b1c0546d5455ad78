import { join } from 'node:path';
import { databasePassword } from './password.js';
import { standingServer } from './postmaster-file.js';
import { connectionString } from './session.js';

/**
 * Where the server of a running service listens, for a command that works beside it: a guest owns nothing and stops
 * nothing. Undefined when no server runs.
 */
export async function runningServer(dataDirectory: string): Promise<string | undefined> {
  const server = await standingServer(join(dataDirectory, 'postgres'));
  if (server?.status !== 'ready') return undefined;
  const password = await databasePassword(dataDirectory, { clusterExists: true });
  return connectionString({ port: server.port, password });
}
