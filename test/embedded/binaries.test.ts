import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundledBinaries, createSymlinks } from '../../src/postgres/embedded/binaries.js';
import { temporaryFolder } from './folder.js';

const LINKS = [
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
];

async function packageWithoutSymlinks(): Promise<string> {
  const { outer } = await temporaryFolder();
  await mkdir(join(outer, 'native', 'lib'), { recursive: true });
  await writeFile(join(outer, 'native', 'lib', 'libpq.so.5.18'), 'the library');
  await writeFile(join(outer, 'native', 'pg-symlinks.json'), JSON.stringify(LINKS));
  return outer;
}

it('creates the symbolic links that an npm package cannot contain', async () => {
  const directory = await packageWithoutSymlinks();
  await createSymlinks(directory);
  expect(await readFile(join(directory, 'native/lib/libpq.so.5'), 'utf8')).toBe('the library');
  expect(await readlink(join(directory, 'native/lib/libpq.so'))).toBe('libpq.so.5.18');
});

it('creates the links when many processes start at once, and keeps existing ones', async () => {
  const directory = await packageWithoutSymlinks();
  await Promise.all(Array.from({ length: 20 }, () => createSymlinks(directory)));
  const created = await lstat(join(directory, 'native/lib/libpq.so.5'));
  await createSymlinks(directory);
  expect((await lstat(join(directory, 'native/lib/libpq.so.5'))).ino).toBe(created.ino);
});

it('replaces a broken symbolic link', async () => {
  const directory = await packageWithoutSymlinks();
  await symlink('libpq.so.4', join(directory, 'native/lib/libpq.so.5'));
  await createSymlinks(directory);
  expect(await readFile(join(directory, 'native/lib/libpq.so.5'), 'utf8')).toBe('the library');
});

it('makes the server of a package without its symbolic links runnable', async () => {
  const { postgres } = await bundledBinaries();
  const { outer } = await temporaryFolder();
  const native = dirname(dirname(postgres));
  await cp(native, join(outer, 'native'), { recursive: true, verbatimSymlinks: true });
  const links: typeof LINKS = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  await Promise.all(links.map(({ target }) => rm(join(outer, target))));
  await createSymlinks(outer);
  const { stdout } = await promisify(execFile)(join(outer, 'native', 'bin', 'postgres'), ['--version']);
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) 18\./);
});

it('refuses a platform without binaries, and suggests DATABASE_URL', async () => {
  await expect(bundledBinaries('plan9-mips')).rejects.toThrow(
    /includes no PostgreSQL for plan9-mips.*DATABASE_URL/,
  );
});
