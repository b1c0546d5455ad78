/** `remesa keys rotate`: a new key for access tokens, in peace or in an emergency. */
import type { Command } from 'commander';
import { StartupRefused } from '../errors.js';
import { deriveKey } from '../keys/derive.js';
import { rotateSigningKeys } from '../tokens/service.js';
import { rewrapUserKeys } from '../users/upkeep.js';
import { change, commandLine, say, withDatabase } from './command.js';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('the keys that sign access tokens');
  keys
    .command('rotate')
    .description('rotate the signing key without interruption')
    .option('--emergency', 'refuse all other keys at once, and every token that they signed', false)
    .action(({ emergency }: { emergency: boolean }) => rotate(emergency));
  keys
    .command('rewrap')
    .description('bring all user keys from MASTER_KEY_PREVIOUS under MASTER_KEY')
    .action(rewrap);
}

function rotate(emergency: boolean): Promise<void> {
  return withDatabase(async (opened) => {
    const sealingKey = deriveKey(opened.vault.rootKey, 'signing keys');
    const rotation = await change(opened, (tx) =>
      rotateSigningKeys(tx, { sealingKey, actor: commandLine, emergency }),
    );
    say(
      `Key ${rotation.keyId} signs in ${rotation.activatesInSeconds} s; ` +
        `all others are refused in ${rotation.othersExpireInSeconds} s.`,
    );
  });
}

function rewrap(): Promise<void> {
  return withDatabase(async ({ database, vault }) => {
    if (!vault.masters.previous) {
      throw new StartupRefused(
        'Set MASTER_KEY to the new key and MASTER_KEY_PREVIOUS to the one before, then try again.',
      );
    }
    const done = await rewrapUserKeys(database, vault, (count) => say(`${count} keys …`));
    say(`${done} keys are under the new master key. MASTER_KEY_PREVIOUS is not needed any more.`);
  });
}
