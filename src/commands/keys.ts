/** `remesa keys rotate` replaces the key that signs access tokens. `remesa keys rewrap` changes the master key. */
import type { Command } from 'commander';
import { StartupRefused } from '../errors.js';
import { deriveKey } from '../keys/derive.js';
import { rotateSigningKeys } from '../tokens/service.js';
import { rewrapKeys } from '../users/rewrapping.js';
import { change, commandLine, say, withDatabase } from './command.js';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('rotate signing keys, change the master key');
  keys
    .command('rotate')
    .description('replace the key that signs access tokens, without interruption')
    .option('--emergency', 'refuse all other keys, and the tokens that they signed, at once', false)
    .action(({ emergency }: { emergency: boolean }) => rotate(emergency));
  keys
    .command('rewrap')
    .description('change the master key: wrap with MASTER_KEY what MASTER_KEY_PREVIOUS wraps')
    .action(rewrap);
}

function rotate(emergency: boolean): Promise<void> {
  return withDatabase(async (opened) => {
    const sealingKey = deriveKey(opened.vault.rootKey, 'signing keys');
    const rotation = await change(opened, (tx) => rotateSigningKeys(tx, { sealingKey, actor: commandLine, emergency }));
    say(
      `Key ${rotation.keyId} starts to sign in ${rotation.activatesInSeconds} s. ` +
        `All other keys are refused after ${rotation.othersExpireInSeconds} s.`,
    );
  });
}

function rewrap(): Promise<void> {
  return withDatabase(async ({ database, vault }) => {
    if (!vault.masters.previous) {
      throw new StartupRefused(
        'Set MASTER_KEY to the new key and MASTER_KEY_PREVIOUS to the previous one, then try again.',
      );
    }
    const rewrapped = await rewrapKeys(database, vault, (count) => say(`${count} keys …`));
    say(`${rewrapped} keys are wrapped with the new master key. You can remove MASTER_KEY_PREVIOUS.`);
  });
}
