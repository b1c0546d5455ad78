/** PostgreSQL's own load generator: what the database gives to a client that does nothing else. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PgbenchFigures {
  readonly perSecond: number;
  readonly meanMs: number;
}

export interface PgbenchOptions {
  readonly url: string;
  readonly folder: string;
  readonly script: string;
  readonly clients: number;
  /** How long it runs, or how often each client runs the script. */
  readonly seconds?: number;
  readonly runsPerClient?: number;
  /** Variables of the script with their first values. Each client keeps its own from run to run. */
  readonly variables?: Readonly<Record<string, number>>;
}

export async function pgbench(options: PgbenchOptions): Promise<PgbenchFigures> {
  const file = join(options.folder, 'insert.sql');
  writeFileSync(file, options.script);
  const { clients, seconds, runsPerClient, url } = options;
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '2',
    ...(runsPerClient === undefined ? ['-T', String(seconds)] : ['-t', String(runsPerClient)]),
    ...Object.entries(options.variables ?? {}).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    '-f',
    file,
    url,
  ];
  const output = await run(findPgbench(), args);
  const [, perSecond] = /tps = ([\d.]+)/.exec(output) ?? [];
  const [, meanMs] = /latency average = ([\d.]+) ms/.exec(output) ?? [];
  const failed = /number of failed transactions: ([1-9]\d*)/.exec(output)?.[1];
  if (!perSecond || !meanMs || failed) throw new Error(`pgbench said:\n${output}`);
  return { perSecond: Number(perSecond), meanMs: Number(meanMs) };
}

/** On the path, or where Debian puts it. */
function findPgbench(): string {
  if (spawnSync('pgbench', ['--version']).status === 0) return 'pgbench';
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const found = versions.map((version) => join(debian, version, 'bin', 'pgbench')).find(existsSync);
  if (!found) throw new Error('there is no pgbench on this machine: it comes with PostgreSQL');
  return found;
}

function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}
