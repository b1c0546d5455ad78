import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inject, onTestFinished } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { nodeArguments, root } from '../harness/programs.js';
import { QUICK } from './place.js';

export interface Told {
  readonly event: 'said' | 'ready' | 'refused' | 'failed' | 'inserted';
  readonly [detail: string]: unknown;
}

export interface OwnerProgram {
  readonly processId: number;
  readonly told: readonly Told[];
  /** Waits for the first line about that event. */
  hears(event: Told['event']): Promise<Told>;
  /** Waits for the outcome of its start. */
  outcome(): Promise<Told>;
  insertedIds(): number[];
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it is gone and everything it told has been read. */
  ended(): Promise<void>;
}

export interface OwnerOptions {
  readonly task?: 'idle' | 'insert';
  readonly settings?: Record<string, string>;
  readonly identity?: { uid: number; gid: number };
  /** Turns the command line into another one that runs it. */
  readonly wrap?: (command: string[]) => string[];
}

/** Runs test/programs/embedded-owner.ts; it is gone when the test is over. */
export function spawnOwner(dataDirectory: string, options: OwnerOptions = {}): OwnerProgram {
  const plain = [
    process.execPath,
    ...nodeArguments('test/programs/embedded-owner.ts', inject('compiledPrograms')),
    dataDirectory,
  ];
  const command = [...plain, options.task ?? 'idle', JSON.stringify(options.settings ?? QUICK)];
  const [file = '', ...args] = options.wrap?.(command) ?? command;
  const child = spawn(file, args, {
    ...options.identity,
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, REMESA_TEST_SECRET: 'not-for-the-server' },
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return listenTo(child, closed);
}

function listenTo(child: ChildProcess, closed: Promise<unknown>): OwnerProgram {
  const told: Told[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => told.push(JSON.parse(line)));
  const first = (events: string[]) =>
    eventually(() => told.find(({ event }) => events.includes(event)), {
      withinMs: 20_000,
      what: `${events.join(' or ')} from program ${child.pid}`,
    });
  return {
    processId: child.pid ?? 0,
    told,
    hears: (event) => first([event]),
    outcome: () => first(['ready', 'refused', 'failed']),
    insertedIds: () => told.filter(({ event }) => event === 'inserted').map(({ id }) => Number(id)),
    signal: (signal) => void child.kill(signal),
    ended: async () => void (await closed),
  };
}
