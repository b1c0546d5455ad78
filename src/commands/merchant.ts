/** `remesa merchant …`: the same verbs as `/operator/merchants`. */
import type { Command } from 'commander';
import { MerchantChangeShape, NewMerchantShape } from '../merchants/schemas.js';
import {
  createMerchant,
  listMerchants,
  rotateSecret,
  setMerchantStatus,
  updateMerchant,
} from '../merchants/service.js';
import { change, commandLine, print, refuseFaults, say, withDatabase } from './command.js';

const by = { actor: commandLine };

interface Given {
  clientId?: string;
  name?: string;
  origin?: string[];
  redirectUrl?: string[];
  endOthers?: boolean;
}

export function addMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('the API clients of this instance');
  merchant
    .command('create')
    .description('take a merchant on; prints its client id and secret, once')
    .requiredOption('--name <name>', 'what it is called')
    .option('--client-id <id>', 'a client id of your choice')
    .action((given: Given) => create(given));
  merchant.command('list').description('all merchants').action(list);
  merchant
    .command('update <clientId>')
    .description('change its name, the origins that may frame its forms, or where they may lead back to')
    .option('--name <name>')
    .option('--origin <origin...>')
    .option('--redirect-url <url...>')
    .action((clientId: string, given: Given) => update(clientId, given));
  merchant
    .command('suspend <clientId>')
    .description('stop serving it; its data stays')
    .action((clientId: string) => setStatus(clientId, 'suspended'));
  merchant
    .command('resume <clientId>')
    .description('serve it again')
    .action((clientId: string) => setStatus(clientId, 'active'));
  merchant
    .command('rotate-secret <clientId>')
    .description('give it a new secret; the one before stays good until the next rotation')
    .option('--end-others', 'for a leaked secret: all others end, and all tokens with them', false)
    .action((clientId: string, given: Given) => rotate(clientId, given.endOthers ?? false));
}

function create({ name = '', clientId }: Given): Promise<void> {
  const given = { name, ...(clientId === undefined ? {} : { clientId }) };
  refuseFaults(NewMerchantShape, given);
  return withDatabase(async (opened) => {
    print(await change(opened, (tx) => createMerchant(tx, by, given)));
    say('The secret is shown this once; keep it well.');
  });
}

function list(): Promise<void> {
  return withDatabase(async ({ database }) => {
    for (const { clientId, status, name } of await listMerchants(database, 0, 10_000)) {
      print(`${clientId}\t${status}\t${name}`);
    }
  });
}

function update(clientId: string, { name, origin, redirectUrl }: Given): Promise<void> {
  const wanted = {
    ...(name === undefined ? {} : { name }),
    ...(origin === undefined ? {} : { allowedOrigins: origin }),
    ...(redirectUrl === undefined ? {} : { redirectUrls: redirectUrl }),
  };
  refuseFaults(MerchantChangeShape, wanted);
  return withDatabase(async (opened) =>
    print(await change(opened, (tx) => updateMerchant(tx, by, clientId, wanted))),
  );
}

function setStatus(clientId: string, status: 'active' | 'suspended'): Promise<void> {
  return withDatabase(async (opened) => {
    await change(opened, (tx) => setMerchantStatus(tx, by, clientId, status));
    say(`${clientId} is ${status}.`);
  });
}

function rotate(clientId: string, endOthers: boolean): Promise<void> {
  return withDatabase(async (opened) => {
    print(await change(opened, (tx) => rotateSecret(tx, by, clientId, { endOthers })));
    say('The secret is shown this once; keep it well.');
  });
}
