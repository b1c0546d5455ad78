/** Services in processes of their own, and the ends that tests make of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, inject } from 'vitest';
import { eventually } from './eventually.js';
import { testMasterKey } from './master-key.js';
import { nodeArguments, root } from './programs.js';

export interface RunningProgram {
  readonly process: ChildProcess;
  readonly output: () => string;
  /** Sends the signal and answers the exit code (null after a kill). */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface RunningService extends RunningProgram {
  readonly url: string;
}

const started = new Set<ChildProcess>();

/** Whatever a test leaves running is ended after it, by its own id. */
export function endProcessesAfterEach(): void {
  afterEach(endProcesses);
}

/** The same, for processes that the tests of a file share. */
export function endProcessesAfterAll(): void {
  afterAll(endProcesses);
}

async function endProcesses(): Promise<void> {
  await Promise.all([...started].map((child) => end(child, 'SIGKILL')));
  started.clear();
}

/** Starts a program of `src` or `test`, named by its TypeScript file below the root. */
export function startProgram(file: string, settings: Record<string, string>, args: string[] = []): RunningProgram {
  const child = spawn(process.execPath, [...nodeArguments(file, inject('programFolder')), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => chunks.push(String(data)));
  return { process: child, output: () => chunks.join(''), end: (signal) => end(child, signal) };
}

/** The service with the notes room, once it listens. */
export function startNotesService(settings: Record<string, string>): Promise<RunningService> {
  return startServiceOf('test/programs/notes-service.ts', settings);
}

/** Any program that is a service, once it listens. */
export async function startServiceOf(file: string, settings: Record<string, string>): Promise<RunningService> {
  const program = startProgram(file, {
    PORT: '0',
    LOG_LEVEL: 'warn',
    MASTER_KEY: testMasterKey,
    REQUESTS_PER_MINUTE: '10000000',
    ...settings,
  });
  const ended = once(program.process, 'exit').then(() => {
    throw new Error(`the service ended: ${program.output()}`);
  });
  const listening = eventually(() => /listening on (\S+)/.exec(program.output())?.[1], {
    withinMs: 60_000,
    what: 'the service listening',
  });
  const url = await Promise.race([listening, ended]);
  ended.catch(() => {});
  return { ...program, url };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
  started.delete(child);
  return child.exitCode;
}
