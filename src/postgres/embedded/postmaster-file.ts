/** Reads `postmaster.pid`, the lock file of PostgreSQL, to find the server of a cluster. */
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isServerOf, takesSignals } from './running-process.js';

export interface RunningServer {
  readonly processId: number;
  readonly port: number;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/** Returns the server that runs on this cluster: the lock file names it and the process table confirms it. */
export async function findRunningServer(clusterDirectory: string): Promise<RunningServer | undefined> {
  const content = await readPostmasterFile(clusterDirectory);
  if (content === undefined) return undefined;
  const server = parsePostmasterFile(content);
  if (server === undefined) return undefined;
  if (await isServerOf(server.processId, clusterDirectory)) return server;
  if (takesSignals(server.processId)) await removeLeftover(clusterDirectory, content);
  return undefined;
}

async function readPostmasterFile(clusterDirectory: string): Promise<string | undefined> {
  try {
    return await readFile(join(clusterDirectory, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Lines: process, directory, start time, port, socket directory, address, shared memory, status. */
export function parsePostmasterFile(content: string): RunningServer | undefined {
  const lines = content.split('\n');
  const processId = Number(lines[0]);
  if (!Number.isSafeInteger(processId) || processId <= 0) return undefined;
  const status = lines[7]?.trim();
  return {
    processId,
    port: Number(lines[3] ?? 0),
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  };
}

/**
 * PostgreSQL removes the lock file of a dead process itself, but refuses to start when that process id now belongs to
 * another program or to a zombie. After the file is gone, PostgreSQL's check for shared memory still protects the data.
 */
async function removeLeftover(clusterDirectory: string, content: string): Promise<void> {
  if ((await readPostmasterFile(clusterDirectory)) !== content) return;
  await unlink(join(clusterDirectory, 'postmaster.pid')).catch(() => undefined);
}
