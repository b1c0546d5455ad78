/**
 * Runs PostgreSQL's programs as another account when Remesa was started by root, because they refuse to run as root.
 */
import { execFile } from 'node:child_process';
import { chmod, readFile, stat } from 'node:fs/promises';
import { StartupRefused } from '../../errors.js';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** A way to run a program. */
export interface RunAs {
  /** The account that owns the files of the database. Undefined: the user who started Remesa. */
  readonly account?: Account;
  /** What Node.js starts the program as. */
  readonly identity: Partial<Account>;
  /** The command that starts the program. */
  readonly prefix: readonly string[];
}

const asCurrentUser: RunAs = { identity: {}, prefix: [] };

/** Our own environment is not passed on: it has the service's secrets, and PG… variables would change the server. */
export const cleanEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Throws `StartupRefused` when Remesa runs as root and no other account can reach the programs and the folder. */
export async function chooseRunAs(dataDirectory: string, cluster: string, postgres: string): Promise<RunAs> {
  if (process.geteuid?.() !== 0) return asCurrentUser;
  const account = await accountFor(cluster);
  // The account may pass through the folder, but neither list nor change it.
  await chmod(dataDirectory, (await stat(dataDirectory)).mode | 0o001);
  const failures: string[] = [];
  for (const way of [droppingAll(account), keepingAccess(account)]) {
    const probe = ['-c', 'cd "$0" && exec "$1" --version', dataDirectory, postgres];
    const failure = await run(way, 'sh', probe);
    if (failure === undefined) return way;
    failures.push(failure);
  }
  throw new StartupRefused(
    `PostgreSQL does not run as root, and user ${await accountName(account.uid)} cannot run it in ${dataDirectory}:\n${failures.join('\n')}\nStart Remesa as an ordinary user with a DATA_DIR of that user, or set DATABASE_URL to a PostgreSQL server.`,
  );
}

function droppingAll({ uid, gid }: Account): RunAs {
  return { account: { uid, gid }, identity: { uid, gid }, prefix: [] };
}

/**
 * For a clone or a DATA_DIR in a folder that only root can enter, such as /root. Linux only. Without the bit,
 * access(2), by which the programs look for each other, ignores the capability.
 */
function keepingAccess({ uid, gid }: Account): RunAs {
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const capabilities = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];
  const prefix = ['setpriv', ...ids, ...capabilities, '--securebits=+no_setuid_fixup', '--'];
  return { account: { uid, gid }, identity: {}, prefix };
}

/** The owner of an existing database stays its owner. */
async function accountFor(cluster: string): Promise<Account> {
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return owner;
  const accounts = (await knownAccounts()).filter(({ uid, gid }) => uid > 0 && gid > 0);
  for (const wanted of ['postgres', 'nobody', 'daemon']) {
    const account = accounts.find(({ name }) => name === wanted);
    if (account !== undefined) return account;
  }
  throw new StartupRefused(
    'PostgreSQL does not run as root, and /etc/passwd has no user postgres, nobody or daemon to run it. Start Remesa as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

export async function accountName(userId: number): Promise<string> {
  const account = (await knownAccounts()).find(({ uid }) => uid === userId);
  return account === undefined ? `number ${userId}` : `"${account.name}"`;
}

async function knownAccounts(): Promise<(Account & { name: string })[]> {
  const content = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return content.split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/** Gives files to the account of the database, because PostgreSQL accepts only files of its own user. */
export async function giveOwnership({ account }: RunAs, path: string): Promise<void> {
  if (account === undefined || (await stat(path)).uid === account.uid) return;
  const failure = await run(asCurrentUser, 'chown', ['-R', `${account.uid}:${account.gid}`, path]);
  if (failure !== undefined) throw new StartupRefused(failure);
}

/** Runs a program to its end. Returns why it failed, or undefined when it succeeded. */
export function run(
  { identity, prefix }: RunAs,
  program: string,
  args: readonly string[],
): Promise<string | undefined> {
  const [file = '', ...rest] = [...prefix, program, ...args];
  return new Promise((resolve) => {
    execFile(file, rest, { ...identity, env: cleanEnvironment, cwd: '/' }, (error, _output, errors) =>
      resolve(error === null ? undefined : errors.trim() || error.message),
    );
  });
}
