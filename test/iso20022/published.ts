/** Schemas and samples of ISO 20022 that may not be copied into the repository. They lie beside it, or not at all. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../house/repository.js';

const folders = ['..', '../..'].map((up) => join(root, up, 'shared/data/iso20022'));

const isoFolder = folders.find((folder) => existsSync(join(folder, 'samples')));

/** Undefined where the folder is missing. */
export function isoFile(path: string): string | undefined {
  const file = isoFolder && join(isoFolder, path);
  return file && existsSync(file) ? file : undefined;
}

export function isoSamples(name: RegExp): string[] {
  if (!isoFolder) return [];
  const samples = join(isoFolder, 'samples');
  const files = readdirSync(samples, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => name.test(file)).map((file) => join(samples, file));
}
