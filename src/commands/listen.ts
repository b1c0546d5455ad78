/** `remesa listen` shows the events of a merchant as they happen, and forwards them to a program on this machine. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { print, say } from './command.js';
import { listenTo } from './listen/listening.js';
import { StateFile } from './listen/state-file.js';
import { ownUrl } from './token.js';

interface ListenOptions {
  readonly url?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly forward?: string;
  readonly channel: readonly string[];
  readonly state?: string;
  readonly fromStart?: boolean;
}

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('show the events of a merchant as they happen, and forward them, signed, to a url')
    .option('--forward <url>', 'send each event to this url as a notification')
    .option('--channel <channels...>', 'the channels to follow', ['kyc', 'order'])
    .option('--from-start', 'the first time, begin with the oldest event instead of the next new one')
    .option('--state <file>', 'the file that stores the last event that was forwarded (default: in DATA_DIR)')
    .option('--url <url>', 'the address of the service (default: from BASE_URL, or from HOST and PORT)')
    .option('--client-id <id>', 'the client id of the merchant', 'demo')
    .option('--client-secret <secret>', 'the client secret of the merchant', 'demo-secret')
    .action(listen);
}

async function listen({ url = ownUrl(), channel, forward, ...options }: ListenOptions): Promise<void> {
  const { clientId, clientSecret, fromStart = false } = options;
  const path = options.state ?? join(readConfig().dataDirectory, `listen-${clientId}.json`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await listenTo({
    url,
    credentials: { clientId, clientSecret },
    channels: channel,
    forward,
    print,
    say,
    isFromStart: fromStart,
    state: new StateFile(path),
    signal: stopping.signal,
  });
}
