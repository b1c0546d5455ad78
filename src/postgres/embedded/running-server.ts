/** Finds the server that runs on a database by `postmaster.pid`, the lock file of PostgreSQL. */
import { execFile } from 'node:child_process';
import { readFile, realpath, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clusterIn } from './data-directory.js';
import { passwordOf } from './new-cluster.js';

export interface RunningServer {
  readonly processId: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** The lock file names the server, and the process table confirms it. */
export async function findServer(cluster: string): Promise<RunningServer | undefined> {
  const lockFile = join(cluster, 'postmaster.pid');
  // Lines: process, directory, start time, port, socket directory, address, shared memory, status.
  const lines = (await readFile(lockFile, 'utf8').catch(() => '')).split('\n');
  const processId = Number(lines[0]);
  if (!(processId > 0)) return undefined;
  if (await worksOn(processId, cluster)) {
    return { processId, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
  }
  // PostgreSQL removes the lock file of a dead process itself, but does not start when its process id is in use again.
  if (isAlive(processId)) await unlink(lockFile).catch(() => undefined);
  return undefined;
}

/**
 * PostgreSQL works in the folder of its database. After a crash its process id may belong to any program, or a zombie.
 */
async function worksOn(processId: number, cluster: string): Promise<boolean> {
  try {
    if (process.platform !== 'linux') {
      const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(processId)]);
      return (await ps).stdout.includes(cluster);
    }
    const [current, expected] = await Promise.all([stat(`/proc/${processId}/cwd`), stat(cluster)]);
    return current.dev === expected.dev && current.ino === expected.ino;
  } catch {
    return false;
  }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function connectionString(port: number, password: string): string {
  return `postgres://remesa:${password}@127.0.0.1:${port}/remesa`;
}

/** Returns the address of the server of a running service, for commands beside it. They must not stop it. */
export async function runningServerUrl(dataDirectory: string): Promise<string | undefined> {
  const cluster = clusterIn(await realpath(dataDirectory));
  const server = await findServer(cluster);
  return server?.isReady ? connectionString(server.port, await passwordOf(cluster)) : undefined;
}
