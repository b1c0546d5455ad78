/** Follows the channels of a merchant over the API, prints each event and forwards it, signed, until the signal. */
import { createHmac } from 'node:crypto';
import { systemClock } from '../../clock.js';
import { StartupRefused } from '../../errors.js';
import { writtenSecret } from '../../webhooks/signing/signature.js';
import type { MerchantCalls } from './calls.js';
import { eventsAfter, lineOf, newestEvents } from './event-log.js';
import { type FollowedEvent, follow } from './follower.js';
import type { StateFile } from './state-file.js';

export interface ListeningOptions {
  readonly calls: MerchantCalls;
  readonly channels: readonly string[];
  /** Patterns such as `order.completed` or `kyc.*`; undefined: all. Other events are passed over. */
  readonly types?: readonly string[] | undefined;
  /** Undefined: events are only printed. */
  readonly forward: string | undefined;
  /** Where to begin the first time. */
  readonly isFromStart: boolean;
  readonly state: StateFile;
  readonly print: (line: string) => void;
  /** Whether an event is printed as JSON. */
  readonly isJson?: boolean;
  readonly say: (message: string) => void;
  readonly signal: AbortSignal;
}

const answersWithinMs = 15_000;

/** Throws `StartupRefused` when the service cannot be asked at the beginning, or has fewer events than were taken. */
export async function listenTo(options: ListeningOptions): Promise<void> {
  const { calls, channels, types, forward, isFromStart, state, print, isJson = false, say, signal } = options;
  for (const channel of channels) {
    const start = await startOf(calls, channel, state, isFromStart);
    state.save(channel, start);
    say(`Following ${channel} at ${calls.url} after number ${start}.`);
  }
  if (forward !== undefined) say(`Forwarding to ${forward}. Verify the signatures with ${writtenSecret(state.secret)}`);
  const followed = channels.map((channel) =>
    follow({
      read: (after) => eventsAfter(calls, channel, after),
      async hand(event) {
        if (!isWanted(event.type, types)) return;
        if (forward !== undefined) await forwardTo(forward, state.secret, event);
        print(isJson ? JSON.stringify(event) : lineOf(event));
      },
      cursor: state.cursorOf(channel) ?? 0,
      saveCursor: (sequence) => state.save(channel, sequence),
      warn: (message) => say(`${message} Trying again.`),
      signal,
    }),
  );
  await Promise.all(followed);
}

/** Throws `StartupRefused` when the newest event is older than the last one that was taken. */
async function startOf(calls: MerchantCalls, channel: string, state: StateFile, isFromStart: boolean): Promise<number> {
  const cursor = state.cursorOf(channel);
  if (cursor === undefined) return isFromStart ? 0 : newestNumber(calls, channel);
  if (cursor === 0) return cursor;
  // Events are never removed: without the one that was taken last, this is another database.
  const [known] = await eventsAfter(calls, channel, cursor - 1, 1);
  if (known !== undefined) return cursor;
  throw new StartupRefused(
    `${state.path} says that event ${cursor} of the channel ${channel} was taken, but ${calls.url} has none from there on. ` +
      'Its database may have been reset. Remove the file to begin anew, or name another one with --state.',
  );
}

/** `order.*` stands for every type that begins with `order.`. */
export function isWanted(type: string, patterns: readonly string[] | undefined): boolean {
  return (
    patterns === undefined ||
    patterns.some((pattern) => (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern))
  );
}

async function newestNumber(calls: MerchantCalls, channel: string): Promise<number> {
  const [newest] = await newestEvents(calls, channel, 1);
  return newest?.data.sequence ?? 0;
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
