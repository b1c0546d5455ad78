/**
 * The PostgreSQL that the tests run on: the one of POSTGRES_BIN, a folder with `initdb` and `postgres`, or the bundled
 * one.
 */
import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { bundledBinaries, createSymlinks, type ServerBinaries } from '../../src/postgres/embedded/binaries.js';

export async function testedBinaries(folder = process.env.POSTGRES_BIN): Promise<ServerBinaries> {
  if (!folder) return bundledBinaries();
  const bin = resolve(folder);
  // A package of npm has no symbolic links before its first use.
  await createSymlinks(dirname(dirname(bin)));
  const postgres = join(bin, 'postgres');
  const version = execFileSync(postgres, ['--version'], { encoding: 'utf8' });
  return { initdb: join(bin, 'initdb'), postgres, major: Number(/ (\d+)/.exec(version)?.[1]) };
}
