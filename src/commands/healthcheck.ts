/** `remesa healthcheck`: asks the service of the same settings whether it lives. For containers, which have no curl. */
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { StartupRefused } from '../errors.js';

const withinMs = 4_000;

export function addHealthcheckCommand(program: Command): void {
  program
    .command('healthcheck')
    .description('ask the running service whether it lives; exits with 1 if it does not')
    .option('--ready', 'ask whether it should get requests', false)
    .action(ask);
}

/** Throws `StartupRefused` when there is no answer, or another one than 200. */
async function ask({ ready }: { ready: boolean }): Promise<void> {
  const { host, port } = readConfig();
  const everywhere = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const reachable = everywhere.includes(':') ? `[${everywhere}]` : everywhere;
  const url = `http://${reachable}:${port}/${ready ? 'readyz' : 'livez'}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
    throw new StartupRefused(`${url} cannot be reached (${code ?? error.name}).`);
  });
  if (answer.status !== 200) throw new StartupRefused(`${url} answered ${answer.status}: ${await answer.text()}`);
}
