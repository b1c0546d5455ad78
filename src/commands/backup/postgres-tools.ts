/**
 * Runs pg_dump and pg_restore. The password goes by the environment, where other users of the machine cannot read it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { StartupRefused } from '../../errors.js';

export interface Tool {
  readonly name: 'pg_dump' | 'pg_restore';
  /** The folder of the programs; undefined: those on the PATH. */
  readonly folder: string | undefined;
}

/** Throws `StartupRefused` with what the program says when it fails, or when it is not there. */
export async function runTool({ name, folder }: Tool, url: string, args: readonly string[]): Promise<void> {
  const child = spawn(folder ? join(folder, name) : name, [...args, '--dbname', withoutPassword(url)], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...passwordOf(url), PATH: pathOfTools() },
  });
  let output = '';
  child.stderr.on('data', (data) => {
    output = `${output}${data}`.slice(-4000);
  });
  const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new StartupRefused(
      error.code === 'ENOENT'
        ? `${name} is not here. Install the client programs of PostgreSQL, or name their folder with --pg-bin.`
        : `${name} cannot be run (${error.code}).`,
    );
  })) as [number | null];
  if (code === 0) return;
  throw new StartupRefused(`${name} failed: ${output.trim()}`);
}

function pathOfTools(): string {
  return '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/opt/homebrew/bin';
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.password = '';
  return parsed.href;
}

function passwordOf(url: string): Record<string, string> {
  const { password } = new URL(url);
  return password === '' ? {} : { PGPASSWORD: decodeURIComponent(password) };
}
