/** `remesa listen` shows the events of a merchant as they happen, and forwards them to a program on this machine. */
import { createHash } from 'node:crypto';
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
  readonly type?: readonly string[];
  readonly fromStart?: boolean;
  readonly json?: boolean;
}

export function addListenCommand(program: Command): void {
  const command = program
    .command('listen')
    .description('show the events of a merchant as they happen, and forward them, signed, to a url')
    .option('--forward <url>', 'send each event to this url as a notification')
    .option('--channel <channels...>', 'the channels to follow', ['kyc', 'order'])
    .option('--type <types...>', 'only events of these types, such as order.completed or kyc.*')
    .option('--json', 'print each event as one line of JSON')
    .option('--from-start', 'the first time, begin with the oldest event instead of the next new one')
    .option('--state <file>', 'the file that stores the last event that was forwarded (default: in DATA_DIR)');
  withMerchantOptions(command).addHelpText('after', examples).action(listen);
}

const examples = `
Examples:
  remesa listen                                                  show every event
  remesa listen --forward http://127.0.0.1:8080/hooks            send them to your program, signed
  remesa listen --channel order --type order.completed order.rejected
  remesa listen --url https://pay.example.com --client-id shop --client-secret "$SECRET" --json | jq .type`;

async function listen({
  channel,
  forward,
  type,
  fromStart = false,
  json = false,
  ...options
}: ListenOptions): Promise<void> {
  const calls = MerchantCalls.of(options);
  const path = options.state ?? join(readConfig().dataDirectory, stateFileName(calls.url, options.clientId));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await listenTo({
    calls,
    channels: channel,
    types: type,
    forward,
    print,
    isJson: json,
    say,
    isFromStart: fromStart,
    state: new StateFile(path),
    signal: stopping.signal,
  });
}

/** One file for each service and merchant: numbers of one service mean nothing at another. */
export function stateFileName(url: string, clientId: string): string {
  const service = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return `listen-${clientId}-${service}.json`;
}
