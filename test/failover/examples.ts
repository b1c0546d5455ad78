/** The example files of docs/scaling, with the addresses, folders and passwords of the test. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/programs.js';

/** Writes the example into the folder and returns its path. Throws when the example lacks a text to replace. */
export function writeExample(
  name: 'patroni.yml' | 'haproxy.cfg' | 'pgbouncer.ini',
  file: string,
  replacements: Readonly<Record<string, string>>,
): string {
  let text = readFileSync(join(root, 'docs', 'scaling', name), 'utf8');
  for (const [example, own] of Object.entries(replacements)) {
    if (!text.includes(example)) throw new Error(`docs/scaling/${name} does not contain ${example}`);
    text = text.replaceAll(example, own);
  }
  writeFileSync(file, text);
  chmodSync(file, 0o644);
  return file;
}
