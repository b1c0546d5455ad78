/**
 * The folder for the temporary files of a run: of the database server, of embedded clusters and of browsers. A run makes and
 * removes some hundred thousand files, which takes a twentieth of its time on a disk.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endEmbeddedServer } from './embedded-place.js';
import { isAlive } from './is-alive.js';

const prefix = 'remesa-test-';
/** Linux keeps these files in memory. */
const memory = '/dev/shm';
const mostBytesOfRun = 1024 ** 3;

/** From now on it is the folder for temporary files of this process, and of those that it starts. */
export function newFolderOfRun(): string {
  const folder = mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), prefix));
  // As /tmp is: a server that root starts runs as another user.
  chmodSync(folder, 0o1777);
  writeFileSync(join(folder, 'run-by'), String(process.pid));
  process.env.TMPDIR = folder;
  return folder;
}

/** Where the database server of a run keeps its files. */
export function serverFolder(folderOfRun: string): string {
  return join(folderOfRun, 'server');
}

/** A run that was killed could not stop its server: the next one does. */
export async function endDeadRuns(): Promise<void> {
  for (const folder of foldersOfRuns()) {
    const runBy = ownerOf(folder);
    if (runBy === undefined || isAlive(runBy)) continue;
    await endEmbeddedServer(serverFolder(folder));
    rmSync(folder, { recursive: true, force: true });
  }
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

function foldersOfRuns(): string[] {
  return [tmpdir(), memory].filter(existsSync).flatMap((place) =>
    readdirSync(place)
      .filter((entry) => entry.startsWith(prefix))
      .map((entry) => join(place, entry)),
  );
}

/** Undefined when the folder is just being made or removed by another run. */
function ownerOf(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'run-by'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
