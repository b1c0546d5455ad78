/** `remesa listen` shows the events of a merchant as they happen, and forwards them to a program on this machine. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../../config/config.js';
import { print, say } from '../command.js';
import { MerchantCalls, type MerchantOptions, withMerchantOptions } from './calls.js';
import { listenTo } from './listening.js';
import { StateFile } from './state-file.js';

interface ListenOptions extends MerchantOptions {
  readonly forward?: string;
  readonly channel: readonly string[];
  readonly state?: string;
  readonly fromStart?: boolean;
}

export function addListenCommand(program: Command): void {
  const command = program
    .command('listen')
    .description('show the events of a merchant as they happen, and forward them, signed, to a url')
    .option('--forward <url>', 'send each event to this url as a notification')
    .option('--channel <channels...>', 'the channels to follow', ['kyc', 'order'])
    .option('--from-start', 'the first time, begin with the oldest event instead of the next new one')
    .option('--state <file>', 'the file that stores the last event that was forwarded (default: in DATA_DIR)');
  withMerchantOptions(command).action(listen);
}

async function listen({ channel, forward, fromStart = false, ...options }: ListenOptions): Promise<void> {
  const path = options.state ?? join(readConfig().dataDirectory, `listen-${options.clientId}.json`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await listenTo({
    calls: MerchantCalls.of(options),
    channels: channel,
    forward,
    print,
    say,
    isFromStart: fromStart,
    state: new StateFile(path),
    signal: stopping.signal,
  });
}
