/** Runs the server in a user namespace of Linux when Remesa was started by root. */
import type { Account } from './accounts.js';
import { attempt } from './program.js';
import type { RunMode } from './run-mode.js';

/** The process stays root outside, and the program sees itself as that account. Files keep belonging to root. */
export function inUserNamespace({ name, userId, groupId }: Account): RunMode {
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
    giveOwnership: async () => undefined,
  };
}
