/** A server program of the test: its output goes to a file, and it is ended by its process id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Daemon {
  readonly process: ChildProcess;
  readonly output: () => string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<Daemon>();

export function startDaemon(
  folder: string,
  name: string,
  command: readonly string[],
  env: Record<string, string> = {},
): Daemon {
  const [program = '', ...args] = command;
  const file = join(folder, `${name}.log`);
  const log = createWriteStream(file, { flags: 'a' });
  const { PATH = '' } = process.env;
  const child = spawn(program, args, {
    env: { PATH, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const daemon = { process: child, output: () => readFileSync(file, 'utf8'), end: endDaemon };
  running.add(daemon);
  return daemon;

  async function endDaemon(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    running.delete(daemon);
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Not `close`: its children may hold its output open.
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

export async function endDaemons(): Promise<void> {
  await Promise.all([...running].map((daemon) => daemon.end('SIGKILL')));
}
