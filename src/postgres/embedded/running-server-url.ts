/** Finds the server of a running service, for commands that run beside it. */
import { join } from 'node:path';
import { databasePassword } from './password.js';
import { findRunningServer } from './postmaster-file.js';
import { connectionString } from './session.js';

/**
 * Returns the connection string of the server that a running service owns, or undefined when none runs. The caller does
 * not own the server and must not stop it.
 */
export async function runningServerUrl(dataDirectory: string): Promise<string | undefined> {
  const server = await findRunningServer(join(dataDirectory, 'postgres'));
  if (server?.status !== 'ready') return undefined;
  const password = await databasePassword(dataDirectory, { clusterExists: true });
  return connectionString({ port: server.port, password });
}
