/** How many times slower than a free machine this one is now, so that a limit of time means the service and not others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const builtService = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** By a command that only loads, which takes 0.6 s there. */
export async function slowness(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, [builtService, '--version'], { stdio: 'ignore' }), 'close');
  return Math.max(1, (performance.now() - began) / 600);
}
