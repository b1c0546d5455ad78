/** `remesa token`: an access token from a running service, for trying things out. */
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { StartupRefused } from '../errors.js';
import { print, say } from './command.js';

interface Given {
  url?: string;
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
    .option('--url <url>', 'where the service is (default: what BASE_URL, or HOST and PORT say)')
    .option('--client-id <id>', 'the client', 'demo')
    .option('--client-secret <secret>', 'its secret', 'demo-secret')
    .option('--user-id <id>', 'a token of one user')
    .action(printToken);
}

async function printToken({ url = ownUrl(), clientId, clientSecret, userId }: Given): Promise<void> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (userId !== undefined) form.set('user_id', userId);
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  say(`Asking ${url} for a token.`);
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: form,
  }).catch((error: Error) => {
    const reason = (error.cause as NodeJS.ErrnoException)?.code ?? error.message;
    throw new StartupRefused(
      `Nothing answers at ${url} (${reason}). Start the service, or name its address with --url.`,
    );
  });
  // What answers there need not be Remesa.
  const answer = (await response.json().catch(() => undefined)) as Answer | undefined;
  if (!answer?.access_token)
    throw new StartupRefused(`No token: ${answer?.error_description ?? response.status}`);
  print(answer.access_token);
}

/** Where a service with these settings can be asked from this machine. */
function ownUrl(): string {
  const { baseUrl, host, port } = readConfig();
  if (baseUrl !== undefined) return baseUrl;
  if (port === 0)
    throw new StartupRefused('PORT=0 lets the service choose its port. Name its address with --url.');
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
