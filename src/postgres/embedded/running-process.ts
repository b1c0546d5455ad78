import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

export function isRunning(processId: number): boolean {
  return takesSignals(processId) && !isZombie(processId);
}

/** Whether the number is in use at all, which is all that PostgreSQL asks before it takes a lock file for valid. */
export function takesSignals(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: somebody else's process, but a process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container without an init nobody collects an orphan that ended; it takes signals for ever. */
function isZombie(processId: number): boolean {
  try {
    const line = readFileSync(`/proc/${processId}/stat`, 'latin1');
    // The state follows the program's name, which is in brackets and may itself contain any character.
    return line.slice(line.lastIndexOf(')') + 2, line.lastIndexOf(')') + 3) === 'Z';
  } catch {
    return false;
  }
}

/**
 * Whether that process is a PostgreSQL server on that directory. A process number alone proves nothing: after a
 * crash or a reboot it may belong to anybody, also to the server of another data directory.
 */
export async function isServerOf(processId: number, clusterDirectory: string): Promise<boolean> {
  if (!isRunning(processId)) return false;
  return process.platform === 'linux'
    ? ((await worksIn(processId, clusterDirectory)) ??
        (await commandOnLinux(processId)).includes(clusterDirectory))
    : (await commandElsewhere(processId)).includes(clusterDirectory);
}

/** A PostgreSQL server stands in its data directory; undefined when we may not look. */
async function worksIn(processId: number, directory: string): Promise<boolean | undefined> {
  try {
    const [standsIn, wanted] = await Promise.all([stat(`/proc/${processId}/cwd`), stat(directory)]);
    return standsIn.dev === wanted.dev && standsIn.ino === wanted.ino;
  } catch {
    return undefined;
  }
}

async function commandOnLinux(processId: number): Promise<string> {
  return await readFile(`/proc/${processId}/cmdline`, 'utf8').catch(() => '');
}

async function commandElsewhere(processId: number): Promise<string> {
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(processId)]);
  return await ps.then(({ stdout }) => stdout).catch(() => '');
}
