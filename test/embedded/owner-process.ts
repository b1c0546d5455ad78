import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inject, onTestFinished } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { nodeArguments, root } from '../harness/programs.js';
import { QUICK } from './folder.js';

export interface ProgramEvent {
  readonly event: 'said' | 'ready' | 'refused' | 'failed' | 'inserted';
  readonly [detail: string]: unknown;
}

export interface OwnerProgram {
  readonly processId: number;
  readonly events: readonly ProgramEvent[];
  /** Waits for the first event of this kind. */
  waitFor(event: ProgramEvent['event']): Promise<ProgramEvent>;
  /** Waits until the start has succeeded or failed. */
  outcome(): Promise<ProgramEvent>;
  insertedIds(): number[];
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the program has ended and all its output has been read. */
  ended(): Promise<void>;
}

export interface OwnerOptions {
  readonly task?: 'idle' | 'insert';
  readonly settings?: Record<string, string>;
  readonly identity?: { uid: number; gid: number };
}

/** Runs test/programs/embedded-owner.ts and ends it after the test. */
export function spawnOwner(dataDirectory: string, options: OwnerOptions = {}): OwnerProgram {
  const program = nodeArguments('test/programs/embedded-owner.ts', inject('programFolder'));
  const settings = JSON.stringify(options.settings ?? QUICK);
  const child = spawn(process.execPath, [...program, dataDirectory, options.task ?? 'idle', settings], {
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
  const events: ProgramEvent[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => events.push(JSON.parse(line)));
  const first = (kinds: string[]) =>
    eventually(() => events.find(({ event }) => kinds.includes(event)), {
      withinMs: 20_000,
      what: `${kinds.join(' or ')} from program ${child.pid}`,
    });
  return {
    processId: child.pid ?? 0,
    events,
    waitFor: (event) => first([event]),
    outcome: () => first(['ready', 'refused', 'failed']),
    insertedIds: () => events.filter(({ event }) => event === 'inserted').map(({ id }) => Number(id)),
    signal: (signal) => void child.kill(signal),
    ended: async () => void (await closed),
  };
}
