/** Runs the server as an unprivileged account when Remesa was started by root. */
import { chmod, chown, lchown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './accounts.js';
import { attempt } from './program.js';
import type { RunMode, RunTarget } from './run-mode.js';

/** Drops the privileges of root for the program, which must then be able to reach all its files as that account. */
export function asAccount(account: Account): RunMode {
  const identity = { uid: account.userId, gid: account.groupId };
  return {
    description: `as user ${account.name}`,
    identity,
    command: (program, args) => ({ file: program, args }),
    obstacle: (target) => obstacle(account, target),
    giveOwnership: (path) => giveOwnership(account, path),
  };
}

async function obstacle(
  account: Account,
  { postgres, dataDirectory }: RunTarget,
): Promise<string | undefined> {
  const identity = { uid: account.userId, gid: account.groupId };
  const run = await attempt(postgres, ['--version'], identity);
  if (run.failure !== undefined) return run.failure;
  if (await canWriteInside(account, dataDirectory)) return undefined;
  return await allowTraversal(account, dataDirectory);
}

/** Lets the account pass through a folder of root. The account can neither list nor change its content. */
async function allowTraversal(account: Account, dataDirectory: string): Promise<string | undefined> {
  const before = await stat(dataDirectory);
  const failure = `that user cannot reach ${dataDirectory}`;
  if (before.uid !== 0) return failure;
  await chown(dataDirectory, before.uid, account.groupId);
  await chmod(dataDirectory, (before.mode & 0o7707) | 0o010);
  if (await canWriteInside(account, dataDirectory)) return undefined;
  await chown(dataDirectory, before.uid, before.gid);
  await chmod(dataDirectory, before.mode & 0o7777);
  return failure;
}

/** Tries a write, because file modes do not show closed parent folders, read-only mounts or access lists. */
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

/** Changes the folder itself last, so that an interrupted change is repeated. */
async function giveOwnership({ userId, groupId }: Account, path: string): Promise<void> {
  const top = await stat(path);
  if (top.uid === userId) return;
  if (top.isDirectory()) {
    const entries = await readdir(path, { recursive: true });
    for (const entry of entries) await lchown(join(path, entry), userId, groupId);
  }
  await chown(path, userId, groupId);
}
