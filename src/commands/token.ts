/** `remesa token`: an access token from a running service, for trying things out. */
import type { Command } from 'commander';
import { StartupRefused } from '../errors.js';
import { print } from './command.js';

interface Given {
  url: string;
  clientId: string;
  clientSecret: string;
  userId?: string;
}

interface Answer {
  access_token?: string;
  error_description?: string;
}

export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('get an access token from a running service')
    .option('--url <url>', 'where the service is', 'http://127.0.0.1:3000')
    .option('--client-id <id>', 'the client', 'demo')
    .option('--client-secret <secret>', 'its secret', 'demo-secret')
    .option('--user-id <id>', 'a token of one user')
    .action(printToken);
}

async function printToken({ url, clientId, clientSecret, userId }: Given): Promise<void> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (userId !== undefined) form.set('user_id', userId);
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: form,
  }).catch((error: Error) => {
    throw new StartupRefused(
      `Nothing answers at ${url} (${(error.cause as NodeJS.ErrnoException)?.code ?? error.message}).`,
    );
  });
  // What answers there need not be Remesa.
  const answer = (await response.json().catch(() => undefined)) as Answer | undefined;
  if (!answer?.access_token)
    throw new StartupRefused(`No token: ${answer?.error_description ?? response.status}`);
  print(answer.access_token);
}
