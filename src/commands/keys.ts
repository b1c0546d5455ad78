/** `remesa keys rotate`: a new key for access tokens, in peace or in an emergency. */
import type { Command } from 'commander';
import { deriveKey } from '../keys.js';
import { rotateSigningKeys } from '../tokens/service.js';
import { change, commandLine, say, withDatabase } from './command.js';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('the keys that sign access tokens');
  keys
    .command('rotate')
    .description('begin to sign with a new key; nobody notices')
    .option('--emergency', 'refuse all other keys at once, and every token that they signed', false)
    .action(({ emergency }: { emergency: boolean }) => rotate(emergency));
}

function rotate(emergency: boolean): Promise<void> {
  return withDatabase(async (opened) => {
    const sealingKey = deriveKey(opened.masterKey, 'signing keys');
    const rotation = await change(opened, (tx) =>
      rotateSigningKeys(tx, { sealingKey, actor: commandLine, emergency }),
    );
    say(
      `Key ${rotation.keyId} signs in ${rotation.activatesInSeconds} s; ` +
        `all others are refused in ${rotation.othersExpireInSeconds} s.`,
    );
  });
}
