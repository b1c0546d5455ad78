/** `remesa events …` shows what a merchant was told and how the deliveries went, and sends an event again. */
import { type Command, Option } from 'commander';
import { print, say } from '../command.js';
import { MerchantCalls, type MerchantOptions, readCount, withMerchantOptions } from './calls.js';
import { lineOf, newestEvents } from './event-log.js';
import type { FollowedEvent } from './follower.js';

interface ListOptions extends MerchantOptions {
  readonly channel: 'kyc' | 'order';
  readonly last: number;
  readonly json?: boolean;
}

type ShowOptions = Pick<ListOptions, 'json'> & MerchantOptions;

interface Delivery {
  readonly state: string;
}

interface Attempt {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly url: string;
  readonly outcome: string;
  readonly status?: number;
}

export function addEventCommands(program: Command): void {
  const events = program
    .command('events')
    .description('the events of a merchant and their deliveries')
    .addHelpText('after', examples);
  withMerchantOptions(events.command('list').description('show the newest events'))
    .addOption(new Option('--channel <channel>', 'which events').choices(['order', 'kyc']).default('order'))
    .option('--last <count>', 'how many', readCount, 20)
    .option('--json', 'print the events as JSON')
    .action(list);
  withMerchantOptions(events.command('show <id>').description('show an event and every attempt to deliver it'))
    .option('--json', 'print the event with its attempts as JSON')
    .action(show);
  withMerchantOptions(
    events.command('resend <id>').description('send an event again, to the url that is registered now'),
  )
    .option('--json', 'print the event as JSON')
    .action(resend);
}

const examples = `
Examples:
  remesa events list --channel order --last 5
  remesa events show evt_01KXR9AQP4T9C2T7R1V0N6JQ1R
  remesa events resend evt_01KXR9AQP4T9C2T7R1V0N6JQ1R`;

async function list({ channel, last, json, ...options }: ListOptions): Promise<void> {
  const events = await newestEvents(MerchantCalls.of(options), channel, last);
  if (json) print(events);
  else if (events.length === 0) say(`There are no events on the channel ${channel}.`);
  else print(events.map(lineOf).join('\n'));
}

async function show(id: string, { json, ...options }: ShowOptions): Promise<void> {
  const calls = MerchantCalls.of(options);
  const path = `/events/${encodeURIComponent(id)}`;
  const [event, attempts] = await Promise.all([
    calls.get<FollowedEvent & { readonly delivery?: Delivery }>(path),
    calls.get<readonly Attempt[]>(`${path}/attempts`),
  ]);
  if (json) {
    print({ ...event, attempts });
    return;
  }
  print(lineOf(event));
  say(event.delivery ? `Delivery: ${event.delivery.state}` : 'No url was registered for it.');
  for (const attempt of attempts) print(lineOfAttempt(attempt));
}

async function resend(id: string, { json, ...options }: ShowOptions): Promise<void> {
  const event = await MerchantCalls.of(options).post<object>(`/events/${encodeURIComponent(id)}/redeliver`);
  if (json) print(event);
  say(`${id} is sent again. \`remesa events show ${id}\` shows how it goes.`);
}

function lineOfAttempt({ startedAt, durationMs, url, outcome, status }: Attempt): string {
  return [startedAt, `${durationMs} ms`, outcome, status, url].filter((part) => part !== undefined).join('  ');
}
