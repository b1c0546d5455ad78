/** How many times slower than a free machine this one is now, so that a limit of time is about the service alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
import { nodeArguments } from './programs.js';

/** Measured by a command that only loads the command line, which takes an eighth of a second on a free machine. */
export async function slowness(): Promise<number> {
  const program = nodeArguments('src/main.ts', inject('programFolder'));
  const began = performance.now();
  await once(spawn(process.execPath, [...program, '--version'], { stdio: 'ignore' }), 'close');
  return Math.max(1, (performance.now() - began) / 125);
}
