import { stat } from 'node:fs/promises';
import { StartupRefused } from '../../errors.js';
import { unprivilegedAccount } from './accounts.js';
import { asAccount } from './run-as-account.js';
import { inUserNamespace } from './run-in-namespace.js';
import type { Surroundings, WayToRun } from './way-to-run.js';

const asOurselves: WayToRun = {
  description: 'as the user who started Remesa',
  identity: {},
  command: (program, args) => ({ file: program, args }),
  obstacle: async () => undefined,
  handOver: async () => undefined,
};

/** PostgreSQL refuses to run as root; everybody else runs it as himself. */
export async function waysToRun(clusterDirectory: string): Promise<readonly WayToRun[]> {
  if (process.geteuid?.() !== 0) return [asOurselves];
  const cluster = await stat(clusterDirectory).catch(() => undefined);
  if (cluster !== undefined && cluster.uid !== 0) {
    // An ordinary user, or the fallback below, made this cluster: whoever owns it keeps it.
    return [asAccount({ name: `number ${cluster.uid}`, userId: cluster.uid, groupId: cluster.gid })];
  }
  const account = await unprivilegedAccount();
  // The namespace comes first because everything stays where it is and belongs to root, also under a closed folder.
  return account === undefined ? [] : [inUserNamespace(account), asAccount(account)];
}

/** The first way that works; a refusal that names the ways out when none does. */
export async function chooseWayToRun(
  ways: readonly WayToRun[],
  surroundings: Surroundings,
): Promise<WayToRun> {
  const obstacles: string[] = [];
  for (const way of ways) {
    const obstacle = await way.obstacle(surroundings);
    if (obstacle === undefined) return way;
    obstacles.push(`${way.description}: ${obstacle}`);
  }
  throw new StartupRefused(
    [
      'PostgreSQL does not run as root, and no other way to run it works here:',
      ...obstacles.map((obstacle) => `  - ${obstacle}`),
      'Either start Remesa as an ordinary user (with a DATA_DIR that he may write to), or set DATABASE_URL to a PostgreSQL server. Allowing user namespaces (user.max_user_namespaces, or the seccomp profile of the container) would help as well.',
    ].join('\n'),
  );
}
