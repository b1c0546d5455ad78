import { execFile } from 'node:child_process';
import { cp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundledBinaries, createSymlinks } from '../../src/postgres/embedded/binaries.js';
import { temporaryFolder } from './folder.js';

it('a package as npm installs it, without its symbolic links, gets them from several services at once and runs', async () => {
  const { postgres } = await bundledBinaries();
  const { outer } = await temporaryFolder();
  const native = dirname(dirname(postgres));
  await cp(native, join(outer, 'native'), { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  await Promise.all(links.map(({ target }: { target: string }) => rm(join(outer, target))));
  await Promise.all([createSymlinks(outer), createSymlinks(outer), createSymlinks(outer)]);
  const { stdout } = await promisify(execFile)(join(outer, 'native', 'bin', 'postgres'), ['--version']);
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) 18\./);
});

it('a platform without binaries is refused, and DATABASE_URL suggested', async () => {
  await expect(bundledBinaries('plan9-mips')).rejects.toThrow(/includes no PostgreSQL for plan9-mips.*DATABASE_URL/);
});
