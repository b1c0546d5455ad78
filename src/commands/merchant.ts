/** `remesa merchant …` does what the routes under `/operator/merchants` do. */
import type { Command } from 'commander';
import { instanceTenant } from '../ids.js';
import { MerchantChangeShape, NewMerchantShape } from '../merchants/schemas.js';
import {
  createMerchant,
  listMerchants,
  merchantIdOf,
  rotateSecret,
  setMerchantStatus,
  updateMerchant,
} from '../merchants/service.js';
import { bypassApproval } from './bypass.js';
import { change, commandLine, print, requireValid, say, withDatabase } from './command.js';

const by = { actor: commandLine };

interface MerchantOptions {
  clientId?: string;
  name?: string;
  origin?: string[];
  redirectUrl?: string[];
  endOthers?: boolean;
}

export function addMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('manage merchants, the API clients of this instance');
  merchant
    .command('create')
    .description('create a merchant and print its client id and secret; the secret is shown only once')
    .requiredOption('--name <name>', 'the name of the merchant')
    .option('--client-id <id>', 'a client id of your choice')
    .action((options: MerchantOptions) => create(options));
  merchant.command('list').description('list all merchants').action(list);
  merchant
    .command('update <clientId>')
    .description('change a merchant')
    .option('--name <name>', 'the new name')
    .option('--origin <origin...>', 'the origins of pages that may embed its forms')
    .option('--redirect-url <url...>', 'the addresses to which its forms may return the user')
    .action((clientId: string, options: MerchantOptions) => update(clientId, options));
  merchant
    .command('suspend <clientId>')
    .description('refuse all requests of a merchant; its data is kept')
    .action((clientId: string) => setStatus(clientId, 'suspended'));
  merchant
    .command('resume <clientId>')
    .description('serve a suspended merchant again')
    .action((clientId: string) => setStatus(clientId, 'active'));
  merchant
    .command('rotate-secret <clientId>')
    .description('create a new secret; the previous one stays valid until the next rotation')
    .option('--end-others', 'if a secret leaked: revoke all other secrets and all tokens at once', false)
    .action((clientId: string, { endOthers }: MerchantOptions) => rotate(clientId, endOthers ?? false));
}

function create({ name = '', clientId }: MerchantOptions): Promise<void> {
  const newMerchant = { name, ...(clientId === undefined ? {} : { clientId }) };
  requireValid(NewMerchantShape, newMerchant);
  return withDatabase(async (opened) => {
    const created = await change(opened, async (tx) => {
      const secret = await createMerchant(tx, by, newMerchant);
      const subject = `merchant:${await merchantIdOf(tx, secret.clientId)}`;
      await bypassApproval(tx, 'merchant.create', { merchantId: instanceTenant, subject });
      return secret;
    });
    print(created);
    say('The secret is shown only once. Store it safely.');
  });
}

function list(): Promise<void> {
  return withDatabase(async ({ database }) => {
    for (const { clientId, status, name } of await listMerchants(database, 0, 10_000)) {
      print(`${clientId}\t${status}\t${name}`);
    }
  });
}

function update(clientId: string, { name, origin, redirectUrl }: MerchantOptions): Promise<void> {
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(origin === undefined ? {} : { allowedOrigins: origin }),
    ...(redirectUrl === undefined ? {} : { redirectUrls: redirectUrl }),
  };
  requireValid(MerchantChangeShape, changes);
  return withDatabase(async (opened) => print(await change(opened, (tx) => updateMerchant(tx, by, clientId, changes))));
}

function setStatus(clientId: string, status: 'active' | 'suspended'): Promise<void> {
  return withDatabase(async (opened) => {
    await change(opened, (tx) => setMerchantStatus(tx, by, clientId, status));
    say(`${clientId} is ${status}.`);
  });
}

function rotate(clientId: string, endOthers: boolean): Promise<void> {
  return withDatabase(async (opened) => {
    const rotated = await change(opened, async (tx) => {
      const secret = await rotateSecret(tx, by, clientId, { endOthers });
      const merchantId = await merchantIdOf(tx, clientId);
      await bypassApproval(tx, 'merchant.secret', { merchantId, subject: `merchant:${merchantId}` });
      return secret;
    });
    print(rotated);
    say('The secret is shown only once. Store it safely.');
  });
}
