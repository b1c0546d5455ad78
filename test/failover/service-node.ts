/** One node of the service (API and worker) in a process of its own, and a command of the command line. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { root } from '../harness/programs.js';
import { type Daemon, startDaemon } from './daemon.js';

export interface ServiceNode {
  readonly url: string;
  readonly daemon: Daemon;
}

const program = join(root, 'dist', 'main.js');

export async function startNode(folder: string, name: string, settings: Record<string, string>): Promise<ServiceNode> {
  const daemon = startDaemon(folder, name, [process.execPath, program, 'serve'], environment(folder, name, settings));
  const url = await eventually(
    () => {
      if (daemon.process.exitCode !== null) return 'ended';
      return /Listening on\s+(\S+)/.exec(daemon.output())?.[1];
    },
    { withinMs: 60_000, what: `node ${name} listening` },
  );
  if (url === 'ended') throw new Error(`node ${name} ended: ${daemon.output()}`);
  return { url, daemon };
}

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
}

export function runCommand(folder: string, settings: Record<string, string>, args: readonly string[]): CommandResult {
  const env = environment(folder, 'command', settings);
  const result = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8', timeout: 60_000 });
  return { code: result.status, output: result.stdout + result.stderr };
}

function environment(folder: string, name: string, settings: Record<string, string>): Record<string, string> {
  const dataDirectory = join(folder, `data-${name}`);
  mkdirSync(dataDirectory, { recursive: true });
  return {
    PORT: '0',
    // Tokens name their issuer, so nodes of one instance share it.
    BASE_URL: 'http://remesa.test',
    DATA_DIR: dataDirectory,
    MASTER_KEY: testMasterKey,
    LOG_LEVEL: 'warn',
    DATABASE_POOL_SIZE: '8',
    REQUESTS_PER_MINUTE: '10000000',
    QUOTES_PER_MINUTE: '10000000',
    TOKENS_PER_MINUTE: '10000',
    ...settings,
  };
}
