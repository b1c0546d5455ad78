import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledBinaries } from '../../src/postgres/embedded/binaries.js';
import { unprivilegedAccount } from '../../src/postgres/embedded/privilege/accounts.js';
import { chooseRunMode } from '../../src/postgres/embedded/privilege/choose-run-mode.js';
import { asAccount } from '../../src/postgres/embedded/privilege/run-as-account.js';
import type { RunMode } from '../../src/postgres/embedded/privilege/run-mode.js';
import { folderWithDatabase, query, start, temporaryFolder } from './folder.js';
import { spawnOwner } from './owner-process.js';

const IS_ROOT = process.geteuid?.() === 0;
const DAEMON = { name: 'daemon', userId: 1, groupId: 1 };
const IDENTITY = { uid: DAEMON.userId, gid: DAEMON.groupId };
const NOWHERE = { postgres: '/nowhere/postgres', dataDirectory: '/nowhere' };

beforeAll(async () => void (await bundledBinaries()));

async function canRunAsDaemon(program: string, ...args: string[]): Promise<boolean> {
  return await promisify(execFile)(program, args, { ...IDENTITY, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

function stub(description: string, obstacle: string | undefined): RunMode {
  return {
    description,
    identity: {},
    command: (program, args) => ({ file: program, args }),
    obstacle: async () => obstacle,
    giveOwnership: async () => undefined,
  };
}

it('chooses the first run mode that works', async () => {
  const modes = [stub('namespace', 'forbidden'), stub('account', undefined), stub('other', undefined)];
  expect((await chooseRunMode(modes, NOWHERE)).description).toBe('account');
});

it('names every obstacle and the remedies when no run mode works', async () => {
  const modes = [stub('in a namespace', 'forbidden'), stub('as nobody', 'cannot reach the data')];
  await expect(chooseRunMode(modes, NOWHERE)).rejects.toThrow(
    /in a namespace: forbidden.*as nobody: cannot reach the data.*ordinary user.*DATABASE_URL.*user namespaces/s,
  );
});

it('finds an account without privileges', async () => {
  const account = await unprivilegedAccount();
  expect(account?.userId).toBeGreaterThan(0);
});

it('is refused with the remedies where namespaces are forbidden and no other user can be used', async ({
  skip,
}) => {
  const forbidNamespaces = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
  const wrap = (command: string[]) => [
    'unshare',
    '--user',
    '--map-root-user',
    'sh',
    '-c',
    forbidNamespaces,
    'sh',
    ...command,
  ];
  const [file = '', ...args] = wrap(['true']);
  const possible = await promisify(execFile)(file, args).then(
    () => true,
    () => false,
  );
  if (!possible) skip('user namespaces are forbidden here already');
  const { dataDirectory } = await temporaryFolder();
  const refused = await spawnOwner(dataDirectory, { wrap }).outcome();
  expect(refused.event).toBe('refused');
  expect(refused.message).toMatch(/PostgreSQL does not run as root.*unshare.*ordinary user.*DATABASE_URL/s);
});

describe.runIf(IS_ROOT)('started by root', () => {
  it('falls back to another user, who gets only the database files and keeps them at the next start', async ({
    skip,
  }) => {
    const { postgres } = await bundledBinaries();
    if (!(await canRunAsDaemon(postgres, '--version'))) skip(`daemon cannot run ${postgres}`);
    const { outer, dataDirectory } = await temporaryFolder();
    await chmod(outer, 0o755);
    const first = await start(dataDirectory, {
      runModes: [stub('namespace', 'forbidden'), asAccount(DAEMON)],
    });
    await query(first.connectionString, 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(await serverUser(first.processId)).toBe(DAEMON.userId);
    expect(await ownerAndMode(dataDirectory)).toEqual([0, '710']);
    expect(await ownerAndMode(join(dataDirectory, 'postgres'))).toEqual([DAEMON.userId, '700']);
    expect(await ownerAndMode(join(dataDirectory, 'postgres-password'))).toEqual([0, '600']);
    await first.stop();
    const second = await start(dataDirectory);
    expect(await serverUser(second.processId)).toBe(DAEMON.userId);
    expect(await query(second.connectionString, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('gives an existing database to another user when namespaces are no longer allowed', async ({ skip }) => {
    const { postgres } = await bundledBinaries();
    if (!(await canRunAsDaemon(postgres, '--version'))) skip(`daemon cannot run ${postgres}`);
    const { outer, dataDirectory } = await folderWithDatabase();
    await chmod(outer, 0o755);
    const first = await start(dataDirectory);
    await query(first.connectionString, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start(dataDirectory, { runModes: [asAccount(DAEMON)] });
    expect(await query(second.connectionString, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('does not fall back to a user who cannot reach the folder, and does not change its mode', async () => {
    const { dataDirectory } = await temporaryFolder();
    await mkdir(dataDirectory, { mode: 0o700 });
    const { postgres } = await bundledBinaries();
    const obstacle = await asAccount(DAEMON).obstacle({ postgres, dataDirectory });
    expect(obstacle).toMatch(/cannot reach|EACCES/);
    expect(await ownerAndMode(dataDirectory)).toEqual([0, '700']);
  });

  it('refuses to run a database of root as an ordinary user, and names the owner', async ({ skip }) => {
    if (!(await ownerProgramIsReachable())) skip('daemon cannot reach Node.js or this repository');
    const { outer, dataDirectory } = await folderWithDatabase();
    await chmod(outer, 0o755);
    await (await start(dataDirectory)).stop();
    await chown(dataDirectory, IDENTITY.uid, IDENTITY.gid);
    const refused = await spawnOwner(dataDirectory, { identity: IDENTITY }).outcome();
    expect(refused.message).toMatch(/belongs to user "root", and Remesa was started as user "daemon"/);
  });

  it('also runs for an ordinary user', async ({ skip }) => {
    if (!(await ownerProgramIsReachable())) skip('daemon cannot reach Node.js or this repository');
    const { outer, dataDirectory } = await temporaryFolder();
    await chown(outer, IDENTITY.uid, IDENTITY.gid);
    const owner = spawnOwner(dataDirectory, { identity: IDENTITY });
    const ready = await owner.outcome();
    expect(ready.event).toBe('ready');
    expect(await serverUser(Number(ready.processId))).toBe(DAEMON.userId);
    expect(await query(String(ready.connectionString), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

async function ownerProgramIsReachable(): Promise<boolean> {
  const program = join(dirname(import.meta.dirname), 'programs', 'embedded-owner.ts');
  return await canRunAsDaemon(process.execPath, '-e', 'fs.readFileSync(process.argv[1])', program);
}

async function serverUser(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
}

async function ownerAndMode(path: string): Promise<[number, string]> {
  const { uid, mode } = await stat(path);
  return [uid, (mode & 0o777).toString(8)];
}
