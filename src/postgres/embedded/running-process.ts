/** Finds out whether a process runs, and whether it is the server of a cluster. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

export function isRunning(processId: number): boolean {
  return takesSignals(processId) && !isZombie(processId);
}

/** Returns whether the process id is in use. PostgreSQL checks no more than this before it accepts a lock file. */
export function takesSignals(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container without an init process, an orphan that ended stays a zombie, which still accepts signals. */
function isZombie(processId: number): boolean {
  try {
    const line = readFileSync(`/proc/${processId}/stat`, 'latin1');
    // The state follows the program name, which is in parentheses and may contain any character.
    return line.slice(line.lastIndexOf(')') + 2, line.lastIndexOf(')') + 3) === 'Z';
  } catch {
    return false;
  }
}

/**
 * Returns whether the process is the PostgreSQL server of this directory. After a crash or a reboot the process id may
 * belong to any program, even to the server of another data directory.
 */
export async function isServerOf(processId: number, clusterDirectory: string): Promise<boolean> {
  if (!isRunning(processId)) return false;
  return process.platform === 'linux'
    ? ((await worksIn(processId, clusterDirectory)) ??
        (await commandOnLinux(processId)).includes(clusterDirectory))
    : (await commandElsewhere(processId)).includes(clusterDirectory);
}

/** Compares the working directory, which PostgreSQL sets to its data directory. Undefined when it may not be read. */
async function worksIn(processId: number, directory: string): Promise<boolean | undefined> {
  try {
    const [current, expected] = await Promise.all([stat(`/proc/${processId}/cwd`), stat(directory)]);
    return current.dev === expected.dev && current.ino === expected.ino;
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
