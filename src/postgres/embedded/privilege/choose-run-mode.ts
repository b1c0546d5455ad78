/** Chooses the user that the server runs as: PostgreSQL refuses to run as root. */
import { stat } from 'node:fs/promises';
import { StartupRefused } from '../../../errors.js';
import { unprivilegedAccount } from './accounts.js';
import { asAccount } from './run-as-account.js';
import { inUserNamespace } from './run-in-namespace.js';
import type { RunMode, RunTarget } from './run-mode.js';

const asCurrentUser: RunMode = {
  description: 'as the user who started Remesa',
  identity: {},
  command: (program, args) => ({ file: program, args }),
  obstacle: async () => undefined,
  giveOwnership: async () => undefined,
};

/** Returns the modes to try, in order. Every user but root runs the server as that user. */
export async function defaultRunModes(clusterDirectory: string): Promise<readonly RunMode[]> {
  if (process.geteuid?.() !== 0) return [asCurrentUser];
  const cluster = await stat(clusterDirectory).catch(() => undefined);
  if (cluster !== undefined && cluster.uid !== 0) {
    // The owner of an existing cluster stays its owner.
    return [asAccount({ name: `number ${cluster.uid}`, userId: cluster.uid, groupId: cluster.gid })];
  }
  const account = await unprivilegedAccount();
  // The namespace comes first because the files keep their owner, and it works in a folder that only root can enter.
  return account === undefined ? [] : [inUserNamespace(account), asAccount(account)];
}

/** Returns the first mode that works. Throws `StartupRefused` with the reason of each when none does. */
export async function chooseRunMode(modes: readonly RunMode[], target: RunTarget): Promise<RunMode> {
  const obstacles: string[] = [];
  for (const mode of modes) {
    const obstacle = await mode.obstacle(target);
    if (obstacle === undefined) return mode;
    obstacles.push(`${mode.description}: ${obstacle}`);
  }
  throw new StartupRefused(
    [
      'PostgreSQL does not run as root, and no other way to run it works here:',
      ...obstacles.map((obstacle) => `  - ${obstacle}`),
      'Either start Remesa as an ordinary user (with a DATA_DIR that this user can write to), or set DATABASE_URL to a PostgreSQL server. Allowing user namespaces (user.max_user_namespaces, or the seccomp profile of the container) would help as well.',
    ].join('\n'),
  );
}
