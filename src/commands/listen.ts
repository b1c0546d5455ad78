/** `remesa listen` shows the events of a merchant as they happen, and forwards them to a program on this machine. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { StartupRefused } from '../errors.js';
import { writtenSecret } from '../webhooks/signing/signature.js';
import { print, say } from './command.js';
import { type FollowedEvent, follow } from './listen/follower.js';
import { StateFile } from './listen/state-file.js';
import { ownUrl, requestToken } from './token.js';

interface ListenOptions {
  readonly url?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly forward?: string;
  readonly channel: readonly string[];
  readonly state?: string;
  readonly fromStart?: boolean;
}

const pageSize = 100;
const answersWithinMs = 15_000;
/** Tokens last an hour. */
const tokenForMs = 45 * 60_000;

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('show the events of a merchant as they happen, and forward them, signed, to a url')
    .option('--forward <url>', 'send each event to this url as a notification')
    .option('--channel <channels...>', 'which channels to follow', ['kyc', 'order'])
    .option('--from-start', 'begin with the oldest event instead of the next one, the first time')
    .option('--state <file>', 'where to remember how far it got (default: in DATA_DIR)')
    .option('--url <url>', 'the address of the service (default: from BASE_URL, or from HOST and PORT)')
    .option('--client-id <id>', 'the client id of the merchant', 'demo')
    .option('--client-secret <secret>', 'the client secret of the merchant', 'demo-secret')
    .action(listen);
}

async function listen(options: ListenOptions): Promise<void> {
  const { clientId, forward, channel: channels, url = ownUrl() } = options;
  const state = new StateFile(options.state ?? join(readConfig().dataDirectory, `listen-${clientId}.json`));
  const log = new EventLog(url, options);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  for (const channel of channels) {
    const start = state.cursorOf(channel) ?? (options.fromStart ? 0 : await log.newest(channel));
    state.save(channel, start);
    say(`Following ${channel} at ${url} after number ${start}.`);
  }
  if (forward !== undefined)
    say(`Forwarding to ${forward}. Verify the signatures with ${writtenSecret(state.secret)}`);
  await Promise.all(
    channels.map((channel) =>
      follow({
        read: (after) => log.page(channel, after),
        async hand(event) {
          if (forward !== undefined) await forwardTo(forward, state.secret, event);
          print(lineOf(event));
        },
        cursor: state.cursorOf(channel) ?? 0,
        saveCursor: (sequence) => state.save(channel, sequence),
        complain: (message) => say(`${message} Trying again.`),
        signal: stopping.signal,
      }),
    ),
  );
}

/** The merchant's events over the API. */
class EventLog {
  #token: { readonly text: string; readonly until: number } | undefined;

  constructor(
    readonly url: string,
    readonly credentials: Pick<ListenOptions, 'clientId' | 'clientSecret'>,
  ) {}

  async page(channel: string, after: number, limit = pageSize): Promise<FollowedEvent[]> {
    const path = `/events?channel=${encodeURIComponent(channel)}&after=${after}&limit=${limit}`;
    const response = await fetch(`${this.url}${path}`, {
      headers: { authorization: `Bearer ${await this.#tokenNow()}` },
      signal: AbortSignal.timeout(answersWithinMs),
    });
    if (response.status === 401) this.#token = undefined;
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    return (await response.json()) as FollowedEvent[];
  }

  /** The number of the newest event. Throws `StartupRefused` when the service cannot be asked. */
  async newest(channel: string): Promise<number> {
    for (let last = 0; ; ) {
      const events = await this.page(channel, last, 1000).catch((error: Error) => {
        throw error instanceof StartupRefused ? error : new StartupRefused(error.message);
      });
      last = events.at(-1)?.data.sequence ?? last;
      if (events.length < 1000) return last;
    }
  }

  async #tokenNow(): Promise<string> {
    if (!this.#token || this.#token.until < Date.now()) {
      const text = await requestToken(this.url, this.credentials);
      this.#token = { text, until: Date.now() + tokenForMs };
    }
    return this.#token.text;
  }
}

/** As the service would send it. Throws unless the receiver answers 2xx in time. */
async function forwardTo(url: string, secret: Buffer, event: FollowedEvent): Promise<void> {
  const { id, type, timestamp, data } = event;
  const body = JSON.stringify({ type, timestamp, data });
  const sentAt = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...{ 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': `v1,${signature}` },
    },
    body,
    signal: AbortSignal.timeout(answersWithinMs),
  }).catch(() => undefined);
  await response?.arrayBuffer();
  if (!response) throw new Error(`Nothing answers at ${url}.`);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
}

function lineOf({ id, channel, type, timestamp, data }: FollowedEvent): string {
  const { id: subject = '', status = '' } = data.object ?? {};
  return `${timestamp}  ${channel}#${data.sequence}  ${type.padEnd(26)}  ${subject} ${status}  ${id}`;
}
