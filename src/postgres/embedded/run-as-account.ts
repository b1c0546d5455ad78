import { chmod, chown, lchown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './accounts.js';
import { attempt } from './program.js';
import type { Surroundings, WayToRun } from './way-to-run.js';

/** Root gives up its privileges for the program, which must then reach everything as that account. */
export function asAccount(account: Account): WayToRun {
  const identity = { uid: account.userId, gid: account.groupId };
  return {
    description: `as user ${account.name}`,
    identity,
    command: (program, args) => ({ file: program, args }),
    obstacle: (surroundings) => obstacle(account, surroundings),
    handOver: (path) => handOver(account, path),
  };
}

async function obstacle(
  account: Account,
  { postgres, dataDirectory }: Surroundings,
): Promise<string | undefined> {
  const identity = { uid: account.userId, gid: account.groupId };
  const run = await attempt(postgres, ['--version'], identity);
  if (run.failure !== undefined) return run.failure;
  if (await canWriteInside(account, dataDirectory)) return undefined;
  return await letThrough(account, dataDirectory);
}

/** Lets the account pass through a folder of root's, no more: it can neither list nor change what is in it. */
async function letThrough(account: Account, dataDirectory: string): Promise<string | undefined> {
  const before = await stat(dataDirectory);
  const failure = `that user can't reach ${dataDirectory}`;
  if (before.uid !== 0) return failure;
  await chown(dataDirectory, before.uid, account.groupId);
  await chmod(dataDirectory, (before.mode & 0o7707) | 0o010);
  if (await canWriteInside(account, dataDirectory)) return undefined;
  await chown(dataDirectory, before.uid, before.gid);
  await chmod(dataDirectory, before.mode & 0o7777);
  return failure;
}

/** Tried for real: modes alone don't tell of closed parent folders, read-only mounts or access lists. */
async function canWriteInside(account: Account, dataDirectory: string): Promise<boolean> {
  const trial = await mkdtemp(join(dataDirectory, 'postgres.trial-'));
  try {
    await chown(trial, account.userId, account.groupId);
    const identity = { uid: account.userId, gid: account.groupId };
    const run = await attempt('/bin/sh', ['-c', ': > "$0/written"', trial], identity);
    return run.failure === undefined;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** The folder itself comes last, so that a hand-over that was cut short is done again. */
async function handOver({ userId, groupId }: Account, path: string): Promise<void> {
  const top = await stat(path);
  if (top.uid === userId) return;
  if (top.isDirectory()) {
    const entries = await readdir(path, { recursive: true });
    for (const entry of entries) await lchown(join(path, entry), userId, groupId);
  }
  await chown(path, userId, groupId);
}
