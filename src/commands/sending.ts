/** `remesa sending`: whether this instance may send notifications, payments and mails. */
import type { Command } from 'commander';
import { changeSending, heldSending } from '../startup/sending.js';
import { change, commandLine, print, say, withDatabase } from './command.js';

const sentences = {
  by_hand: 'Sending is held by hand.',
  other_place: 'Sending is held: this database was restored or moved, or BASE_URL has changed.',
} as const;

export function addSendingCommands(program: Command): void {
  const sending = program.command('sending').description('hold or allow notifications, payments and mails');
  sending.command('show').description('say whether sending is held; exits with 2 if it is').action(show);
  sending
    .command('hold')
    .description('send nothing any more, on any process')
    .action(() => save(true));
  sending
    .command('allow')
    .description('send from this database and BASE_URL, and from no other')
    .action(() => save(false));
}

function show(): Promise<void> {
  return withDatabase(async ({ database }, { baseUrl }) => {
    const held = await heldSending(database, baseUrl);
    print(held ? sentences[held] : 'Sending is allowed.');
    if (held) process.exitCode = 2;
  });
}

function save(isHeld: boolean): Promise<void> {
  return withDatabase(async (opened, { baseUrl }) => {
    await change(opened, (tx) => changeSending(tx, { actor: commandLine }, { isHeld, baseUrl }));
    say(isHeld ? 'Nothing is sent any more, within 5 seconds.' : 'This place sends, within 5 seconds.');
  });
}
