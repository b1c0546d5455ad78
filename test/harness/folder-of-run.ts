/**
 * The folder for the temporary files of a run: of the database server, of embedded clusters and of browsers. A run
 * makes and removes some hundred thousand files, which takes a twentieth of its time on a disk.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder } from './programs.js';

/** Linux keeps these files in memory. */
const memory = '/dev/shm';
const mostBytesOfRun = 1024 ** 3;

export interface FolderOfRun {
  readonly folder: string;
  /** Ends the servers and programs of the run, and removes its files. The same happens when the run is killed. */
  end(): Promise<void>;
}

/** From now on it is the folder for temporary files of this process, and of those that it starts. */
export function newFolderOfRun(): FolderOfRun {
  const folder = mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), 'remesa-test-'));
  // As /tmp is: a server that root starts runs as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  const program = fileURLToPath(new URL('end-of-run.mjs', import.meta.url));
  const ending = spawn(process.execPath, [program, folder, programFolder], {
    // Ctrl-C reaches the processes of the terminal; this one has to stay.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  ending.unref();
  return {
    folder,
    async end() {
      const ended = once(ending, 'close');
      ending.ref();
      ending.stdin.end();
      await ended;
    },
  };
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > mostBytesOfRun;
  } catch {
    return false;
  }
}
