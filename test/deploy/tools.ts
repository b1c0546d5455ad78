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
  const folder = unpack([debianPackage]);
  const candidates = ['usr/bin', 'usr/sbin', 'bin'].map((path) => join(folder, path, name));
  return candidates.find((path) => existsSync(path));
}

/**
 * Unpacks packages into one folder, once, and returns it. The first one names it. It is empty when they are not to be
 * had.
 */
function unpack(packages: readonly [string, ...string[]]): string {
  const folder = join(root, 'test-output', 'tools', packages[0]);
  const mayUseApt = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (existsSync(folder) || !mayUseApt) return folder;
  mkdirSync(folder, { recursive: true });
  const download = () => spawnSync('apt-get', ['download', ...packages], { cwd: folder, timeout: 120_000 }).status;
  if (download() !== 0) {
    spawnSync('apt-get', ['update', '-qq'], { timeout: 120_000 });
    download();
  }
  for (const archive of readdirSync(folder).filter((file) => file.endsWith('.deb')))
    spawnSync('dpkg', ['-x', join(folder, archive), folder]);
  return folder;
}

const composeLibraries = [
  ...['attr', 'certifi', 'chardet', 'charset-normalizer', 'distro', 'docker', 'dockerpty', 'docopt', 'dotenv', 'idna'],
  ...['jsonschema', 'pyrsistent', 'requests', 'six', 'texttable', 'urllib3', 'websocket', 'yaml'],
].map((name) => `python3-${name}`);

/** Debian's docker-compose, which asks no Docker for `config`. Undefined when it is not to be had. */
export function findCompose(): ((args: readonly string[], cwd: string) => Checked) | undefined {
  const libraries = join(unpack(['docker-compose', ...composeLibraries]), 'usr/lib/python3/dist-packages');
  const run = (args: readonly string[], cwd: string) => {
    const env = { PATH: process.env.PATH, PYTHONPATH: libraries };
    const options = { cwd, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-m', 'compose', ...args], options);
    return { code: status, output: `${stdout}${stderr}` };
  };
  return run(['version'], root).code === 0 ? run : undefined;
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
