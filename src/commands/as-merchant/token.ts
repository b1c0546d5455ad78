/** `remesa token` prints an access token of a running service, for first requests by hand. */
import type { Command } from 'commander';
import { readConfig } from '../../config/config.js';
import { StartupRefused } from '../../errors.js';
import { print, say } from '../command.js';

interface TokenOptions {
  url?: string;
  clientId: string;
  clientSecret: string;
  userId?: string;
  json?: boolean;
}

interface TokenResponse {
  access_token?: string;
  scope?: string;
  error_description?: string;
}

export interface Grant {
  readonly accessToken: string;
  /** What the token may do. */
  readonly scopes: readonly string[];
}

export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('get an access token from a running service')
    .option('--url <url>', 'the address of the service (default: from BASE_URL, or from HOST and PORT)')
    .option('--client-id <id>', 'the client id of the merchant', 'demo')
    .option('--client-secret <secret>', 'the client secret of the merchant', 'demo-secret')
    .option('--user-id <id>', 'get a token for this user only')
    .option('--json', 'print the token and the address of the service as JSON')
    .addHelpText('after', examples)
    .action(printToken);
}

const examples = `
Examples:
  TOKEN=$(remesa token)                                          of the merchant demo, for one hour
  remesa token --user-id 241958564297829                         works for this user only, for 15 minutes`;

async function printToken({ url = ownUrl(), json = false, ...options }: TokenOptions): Promise<void> {
  say(`Requesting a token from ${url}.`);
  const { accessToken } = await requestToken(url, options);
  print(json ? { url, accessToken } : accessToken);
}

/** Throws `StartupRefused` when nothing answers, or when the credentials are refused. */
export async function requestToken(
  url: string,
  { clientId, clientSecret, userId, scope }: Omit<TokenOptions, 'url'> & { readonly scope?: string },
): Promise<Grant> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  if (userId !== undefined) form.set('user_id', userId);
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: form,
  }).catch((error: Error) => {
    const reason = (error.cause as NodeJS.ErrnoException)?.code ?? error.message;
    throw new StartupRefused(
      `Nothing answers at ${url} (${reason}). Start the service, or set its address with --url.`,
    );
  });
  // The answer may come from a program that is not Remesa.
  const answer = (await response.json().catch(() => undefined)) as TokenResponse | undefined;
  if (!answer?.access_token) throw new StartupRefused(`No token: ${answer?.error_description ?? response.status}`);
  return { accessToken: answer.access_token, scopes: answer.scope?.split(' ') ?? [] };
}

/** The address of a service with these settings, as seen from this machine. Throws `StartupRefused` when PORT is 0. */
export function ownUrl(): string {
  const { baseUrl, host, port } = readConfig();
  if (baseUrl !== undefined) return baseUrl;
  if (port === 0) throw new StartupRefused('With PORT=0 the service chooses its port. Set its address with --url.');
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
