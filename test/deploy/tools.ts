/** Programs that check files for deployers: the ones of this machine, or Debian's, unpacked beside the tests. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { it } from 'vitest';
import { root } from '../harness/programs.js';

export interface Checked {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Undefined when the program is neither here nor to be had. A program that needs more than its own package is not to be
 * had in this way.
 */
export function findTool(name: string, debianPackage: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  const installed = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return installed ?? unpacked(name, debianPackage);
}

function unpacked(name: string, debianPackage: string): string | undefined {
  const folder = join(root, 'test-output', 'tools', debianPackage);
  const candidates = ['usr/bin', 'usr/sbin', 'bin'].map((path) => join(folder, path, name));
  const find = () => candidates.find((path) => existsSync(path));
  const mayUseApt = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (find() || existsSync(folder) || !mayUseApt) return find();
  mkdirSync(folder, { recursive: true });
  const download = () => spawnSync('apt-get', ['download', debianPackage], { cwd: folder, timeout: 120_000 }).status;
  if (download() !== 0) {
    spawnSync('apt-get', ['update', '-qq'], { timeout: 120_000 });
    download();
  }
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb'));
  if (archive) spawnSync('dpkg', ['-x', join(folder, archive), folder]);
  return find();
}

export function check(tool: string, args: readonly string[], options: { cwd?: string } = {}): Checked {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', cwd: options.cwd ?? root });
  return { code: status, output: `${stdout}${stderr}` };
}

/** A test that says aloud that it did not run, and why. */
export function itWith(tool: string | undefined, name: string): typeof it | typeof it.skip {
  if (tool === undefined) process.stderr.write(`NOT RUN: ${name} is not on this machine and cannot be had.\n`);
  return tool === undefined ? it.skip : it;
}
