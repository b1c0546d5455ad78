/** The events of a merchant over the API, for the commands that show and forward them. */
import type { MerchantCalls } from './calls.js';
import type { FollowedEvent } from './follower.js';

const pageSize = 100;
const largestPage = 1000;

export function eventsAfter(
  calls: MerchantCalls,
  channel: string,
  after: number,
  limit = pageSize,
): Promise<FollowedEvent[]> {
  return calls.get(`/events?channel=${encodeURIComponent(channel)}&after=${after}&limit=${limit}`);
}

/** The newest events of a channel, the newest last. The API lists them from the oldest on. */
export async function newestEvents(calls: MerchantCalls, channel: string, count: number): Promise<FollowedEvent[]> {
  let newest: FollowedEvent[] = [];
  for (let after = 0; ; ) {
    const page = await eventsAfter(calls, channel, after, largestPage);
    newest = [...newest, ...page].slice(-count);
    if (page.length < largestPage) return newest;
    after = page.at(-1)?.data.sequence ?? after;
  }
}

export function lineOf({ id, channel, type, timestamp, data }: FollowedEvent): string {
  const { id: subject = '', status = '' } = data.object ?? {};
  return `${timestamp}  ${channel}#${data.sequence}  ${type.padEnd(26)}  ${subject} ${status}  ${id}`;
}
