/** Looks at an embedded cluster from outside, by the files that it keeps. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';

export function embeddedUrl(dataDirectory: string): string {
  const lines = readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const password = readFileSync(join(dataDirectory, 'postgres', 'password'), 'utf8');
  return `postgres://remesa:${password}@127.0.0.1:${lines[3]}/remesa`;
}

export function postmasterPid(dataDirectory: string): number | undefined {
  const file = join(dataDirectory, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

/** For what a test leaves behind. */
export async function endEmbeddedServer(dataDirectory: string): Promise<void> {
  const pid = postmasterPid(dataDirectory);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    return;
  }
  await eventually(() => postmasterPid(dataDirectory) === undefined, {
    what: 'the end of the embedded server',
  });
}
