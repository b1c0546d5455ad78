/** What a backup consists of. It is written last, so a folder without it is no backup. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupRefused } from '../../errors.js';

const manifestName = 'manifest.json';

export interface BackedUpFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: 1;
  readonly remesa: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly mode: string;
  readonly schemaVersion: number;
  readonly postgres: string;
  readonly documents: 'database' | 'files';
  readonly erasures: number;
  readonly files: readonly BackedUpFile[];
}

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .sort();
}

export async function hashFile(folder: string, path: string, onBytes: (count: number) => void): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, path), { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(chunk.length);
  }
  return { path, bytes, sha256: hash.digest('hex') };
}

export async function sizeOf(folder: string, paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
}

/** Throws `StartupRefused` when the folder has none: the backup was not finished. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new StartupRefused(`${folder} has no ${manifestName}: it is no backup, or one that was not finished.`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new StartupRefused(`${folder} was written by a newer Remesa (${manifest.remesa}).`);
  return manifest;
}

/** Throws `StartupRefused` when a file is missing, has changed, or is there without being named. */
export async function checkFiles(folder: string, manifest: Manifest, onBytes: (count: number) => void): Promise<void> {
  const there = new Set(await filesIn(folder));
  for (const file of manifest.files) {
    if (!there.has(file.path)) throw new StartupRefused(`The backup lacks ${file.path}.`);
    const found = await hashFile(folder, file.path, onBytes);
    if (found.sha256 !== file.sha256) throw new StartupRefused(`${file.path} of the backup has changed.`);
  }
}
