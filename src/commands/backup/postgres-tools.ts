/**
 * Runs pg_dump and pg_restore and shows how far they are. The password goes by the environment, where other users of
 * the machine cannot read it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartupRefused } from '../../errors.js';
import type { TableSize } from '../../postgres/server-checks.js';
import { withProgress } from '../progress.js';

export interface ToolOptions {
  readonly url: string;
  /** The folder of the programs; undefined: those on the PATH. */
  readonly pgBin: string | undefined;
}

/** Writes the database into the file. Throws `StartupRefused` with what pg_dump says when it fails or is not there. */
export function writeDump(file: string, tables: readonly TableSize[], options: ToolOptions): Promise<void> {
  const sizes = new Map(tables.map(({ name, bytes }) => [name, bytes]));
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const args = ['--format=custom', '--no-owner', '--no-privileges', '--verbose', `--file=${file}`];
  return withProgress('Database', total, async (progress) => {
    let begun = 0;
    const tool = start('pg_dump', args, options);
    tool.stdin.end();
    await ended('pg_dump', tool, (line) => {
      const [, table = ''] = /^pg_dump: dumping contents of table "(.*)"$/.exec(line) ?? [];
      if (table === '') return;
      progress.add(begun);
      begun = sizes.get(table) ?? 0;
    });
  });
}

/** Loads the dump into the empty database, or nothing of it. Throws as `writeDump` does. */
export async function loadDump(file: string, options: ToolOptions): Promise<void> {
  const args = ['--format=custom', '--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
  await withProgress('Database', (await stat(file)).size, async (progress) => {
    const tool = start('pg_restore', args, options);
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        progress.add(chunk.length);
        yield chunk;
      }
    };
    // pg_restore stops reading when it fails: what it says counts then, not the broken pipe.
    const feeding = pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), counted, tool.stdin).catch(() => {});
    await Promise.all([ended('pg_restore', tool), feeding]);
  });
}

type Tool = ChildProcessByStdio<Writable, null, Readable>;

function start(name: string, args: readonly string[], { url, pgBin }: ToolOptions): Tool {
  const tool = spawn(pgBin ? join(pgBin, name) : name, [...args, '--dbname', withoutPassword(url)], {
    stdio: ['pipe', 'inherit', 'pipe'],
    env: { ...passwordOf(url), PATH: pathOfTools(), LC_ALL: 'C' },
  });
  tool.stdin.on('error', () => {});
  return tool;
}

const linesKept = 20;

/** Calls back with each line that the program writes. */
async function ended(name: string, tool: Tool, onLine: (line: string) => void = () => {}): Promise<void> {
  let last: string[] = [];
  createInterface(tool.stderr).on('line', (line) => {
    onLine(line);
    if (!isNarration(line)) last = [...last, line].slice(-linesKept);
  });
  const [code] = (await once(tool, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new StartupRefused(
      error.code === 'ENOENT'
        ? `${name} is not here. Install the client programs of PostgreSQL, or name their folder with --pg-bin.`
        : `${name} cannot be run (${error.code}).`,
    );
  })) as [number | null];
  if (code !== 0) throw new StartupRefused(`${name} failed: ${last.join('\n')}`);
}

/** What `--verbose` tells of the work. */
function isNarration(line: string): boolean {
  return /^pg_dump: (?!error|warning|detail|hint)/.test(line);
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
