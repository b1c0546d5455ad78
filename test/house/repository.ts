/** The files of the repository, found without git so that a copied folder can be checked as well. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface TextFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

const binary = /\.(png|jpe?g|ico|woff2?|pdf|gz|wasm)$/;

export function textFiles(): TextFile[] {
  return pathsUnder('')
    .filter((path) => !binary.test(path))
    .map((path) => ({ path, text: readText(path) }));
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Everything that is not ignored by git. */
function pathsUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.name !== '.git' && !isIgnored(entry.name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return pathsUnder(path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

/** Our ignore file knows names and `*.ending`, nothing more. */
function isIgnored(path: string): boolean {
  return ignoredNames.some((name) => (name.startsWith('*') ? path.endsWith(name.slice(1)) : basename(path) === name));
}

const ignoredNames = readText('.gitignore')
  .split('\n')
  .map((line) => line.trim().replace(/\/$/, ''))
  .filter((line) => line !== '' && !line.startsWith('#'));
