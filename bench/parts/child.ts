/** A server in a process of its own that tells where it listens and what processor time it has used. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly url: string;
  /** Microseconds, user and system, since it started. */
  cpuMicroseconds(): Promise<number>;
  /** Stands still until it is resumed. */
  pause(): void;
  resume(): void;
  end(): Promise<void>;
}

/** Without a file its log goes where a server's log goes to on a machine that keeps none. */
export async function startChild(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  logFile = '/dev/null',
): Promise<Child> {
  const output = openSync(logFile, 'a');
  const child = fork(fileURLToPath(new URL(`../programs/${program}.js`, import.meta.url)), args, {
    stdio: ['ignore', output, 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, ...environment },
  });
  closeSync(output);
  const { url } = await heard<{ url: string }>(child);
  return {
    url,
    async cpuMicroseconds() {
      child.send('cpu');
      return (await heard<{ cpu: number }>(child)).cpu;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function heard<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a measured server ended'));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}

/** The other side: called by the program once it listens. */
export function report(url: string, stop: () => Promise<unknown> = async () => {}): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  });
  const end = () => void stop().finally(() => process.exit(0));
  process.once('SIGTERM', end);
  // Whoever measures is gone: there is nobody left to end this process.
  process.once('disconnect', end);
  process.send?.({ url });
}
