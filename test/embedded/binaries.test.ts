import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundledBinaries, createSymlinks } from '../../src/postgres/embedded/binaries.js';
import { temporaryPlace } from './place.js';

const LINKS = [
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
];

async function packageWithoutSymlinks(): Promise<string> {
  const { outer } = await temporaryPlace();
  await mkdir(join(outer, 'native', 'lib'), { recursive: true });
  await writeFile(join(outer, 'native', 'lib', 'libpq.so.5.18'), 'the library');
  await writeFile(join(outer, 'native', 'pg-symlinks.json'), JSON.stringify(LINKS));
  return outer;
}

it('makes the symlinks that the npm package could not carry', async () => {
  const directory = await packageWithoutSymlinks();
  await createSymlinks(directory);
  expect(await readFile(join(directory, 'native/lib/libpq.so.5'), 'utf8')).toBe('the library');
  expect(await readlink(join(directory, 'native/lib/libpq.so'))).toBe('libpq.so.5.18');
});

it('makes them when many processes start at once, and again without harm', async () => {
  const directory = await packageWithoutSymlinks();
  await Promise.all(Array.from({ length: 20 }, () => createSymlinks(directory)));
  const made = await lstat(join(directory, 'native/lib/libpq.so.5'));
  await createSymlinks(directory);
  expect((await lstat(join(directory, 'native/lib/libpq.so.5'))).ino).toBe(made.ino);
});

it('replaces a symlink that leads nowhere', async () => {
  const directory = await packageWithoutSymlinks();
  await symlink('libpq.so.4', join(directory, 'native/lib/libpq.so.5'));
  await createSymlinks(directory);
  expect(await readFile(join(directory, 'native/lib/libpq.so.5'), 'utf8')).toBe('the library');
});

it('runs the server of a package that was installed without its symlinks', async () => {
  const { postgres } = await bundledBinaries();
  const { outer } = await temporaryPlace();
  const native = dirname(dirname(postgres));
  await cp(native, join(outer, 'native'), { recursive: true, verbatimSymlinks: true });
  const links: typeof LINKS = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  await Promise.all(links.map(({ target }) => rm(join(outer, target))));
  await createSymlinks(outer);
  const { stdout } = await promisify(execFile)(join(outer, 'native', 'bin', 'postgres'), ['--version']);
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) 18\./);
});

it('refuses a platform for which there are no binaries, and names the way out', async () => {
  await expect(bundledBinaries('plan9-mips')).rejects.toThrow(
    /includes no PostgreSQL for plan9-mips.*DATABASE_URL/,
  );
});
