import type { Account } from './accounts.js';
import { attempt } from './program.js';
import type { WayToRun } from './way-to-run.js';

/** Root, but seen by the program as that account: files stay root's own. Linux only. */
export function inUserNamespace({ name, userId, groupId }: Account): WayToRun {
  const command = (program: string, args: readonly string[]) => ({
    file: 'unshare',
    args: ['--user', `--map-user=${userId}`, `--map-group=${groupId}`, '--', program, ...args],
  });
  return {
    description: `in a user namespace, as "${name}"`,
    identity: {},
    command,
    obstacle: async ({ postgres }) => {
      const { file, args } = command(postgres, ['--version']);
      return (await attempt(file, args)).failure;
    },
    handOver: async () => undefined,
  };
}
