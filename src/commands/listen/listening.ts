/** Follows the channels of a merchant over the API, prints each event and forwards it, signed, until the signal. */
import { createHmac } from 'node:crypto';
import { systemClock } from '../../clock.js';
import { StartupRefused } from '../../errors.js';
import { writtenSecret } from '../../webhooks/signing/signature.js';
import { requestToken } from '../token.js';
import { type FollowedEvent, follow } from './follower.js';
import type { StateFile } from './state-file.js';

export interface ListeningOptions {
  readonly url: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly channels: readonly string[];
  /** Undefined: events are only printed. */
  readonly forward: string | undefined;
  /** Where to begin the first time. */
  readonly isFromStart: boolean;
  readonly state: StateFile;
  readonly print: (line: string) => void;
  readonly say: (message: string) => void;
  readonly signal: AbortSignal;
}

const pageSize = 100;
const largestPage = 1000;
const answersWithinMs = 15_000;
/** Tokens last an hour. */
const tokenForMs = 45 * 60_000;

/** Throws `StartupRefused` when the service cannot be asked at the beginning. */
export async function listenTo(options: ListeningOptions): Promise<void> {
  const { url, channels, forward, isFromStart, state, print, say, signal } = options;
  const log = new EventLog(url, options.credentials);
  for (const channel of channels) {
    const start = state.cursorOf(channel) ?? (isFromStart ? 0 : await log.newest(channel));
    state.save(channel, start);
    say(`Following ${channel} at ${url} after number ${start}.`);
  }
  if (forward !== undefined) say(`Forwarding to ${forward}. Verify the signatures with ${writtenSecret(state.secret)}`);
  const followed = channels.map((channel) =>
    follow({
      read: (after) => log.page(channel, after),
      async hand(event) {
        if (forward !== undefined) await forwardTo(forward, state.secret, event);
        print(lineOf(event));
      },
      cursor: state.cursorOf(channel) ?? 0,
      saveCursor: (sequence) => state.save(channel, sequence),
      warn: (message) => say(`${message} Trying again.`),
      signal,
    }),
  );
  await Promise.all(followed);
}

/** The merchant's events over the API. */
class EventLog {
  #token: { readonly text: string; readonly until: number } | undefined;

  constructor(
    readonly url: string,
    readonly credentials: ListeningOptions['credentials'],
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
      const events = await this.page(channel, last, largestPage).catch((error: Error) => {
        throw error instanceof StartupRefused ? error : new StartupRefused(error.message);
      });
      last = events.at(-1)?.data.sequence ?? last;
      if (events.length < largestPage) return last;
    }
  }

  async #tokenNow(): Promise<string> {
    if (!this.#token || this.#token.until < systemClock.now().getTime()) {
      const text = await requestToken(this.url, this.credentials);
      this.#token = { text, until: systemClock.now().getTime() + tokenForMs };
    }
    return this.#token.text;
  }
}

/** As the service would send it. Throws unless the receiver answers 2xx in time. */
async function forwardTo(url: string, secret: Buffer, event: FollowedEvent): Promise<void> {
  const { id, type, timestamp, data } = event;
  const body = JSON.stringify({ type, timestamp, data });
  const sentAt = String(Math.floor(systemClock.now().getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': sentAt,
      'webhook-signature': `v1,${signature}`,
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
