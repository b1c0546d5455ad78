/** How long the connections of an endpoint outlive their last use. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type MerchantId, merchantId } from '../../src/ids.js';
import { EndpointClients } from '../../src/webhooks/delivery/clients.js';

const closed: string[] = [];
const clientsOf = () =>
  new EndpointClients((url) => ({
    post: () => Promise.reject(new Error('nothing is sent here')),
    close: async () => void closed.push(url),
  }));
const endpoint = (number: number) => ({ merchantId: merchantId(number) as MerchantId, channel: 'kyc' }) as const;
const url = 'https://receiver.example/';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  closed.splice(0);
});

it('a client is kept for ten seconds after its last use, and another is made after that', () => {
  const clients = clientsOf();
  const first = clients.take(endpoint(1), url);
  clients.release(endpoint(1), url);
  vi.advanceTimersByTime(9_999);
  expect(clients.take(endpoint(1), url)).toBe(first);
  vi.advanceTimersByTime(60_000);
  expect(closed).toEqual([]);
  clients.release(endpoint(1), url);
  vi.advanceTimersByTime(10_000);
  expect(closed).toEqual([url]);
  expect(clients.take(endpoint(1), url)).not.toBe(first);
});

it('an endpoint has its own client for each url, even if another endpoint has the same url', () => {
  const clients = clientsOf();
  const all = [
    clients.take(endpoint(1), url),
    clients.take(endpoint(2), url),
    clients.take({ ...endpoint(1), channel: 'order' }, url),
    clients.take(endpoint(1), `${url}new`),
  ];
  expect(new Set(all).size).toBe(4);
});

it('no more than 256 are kept idle', () => {
  const clients = clientsOf();
  for (let number = 1; number <= 300; number += 1) clients.take(endpoint(number), `${url}${number}`);
  for (let number = 1; number <= 300; number += 1) clients.release(endpoint(number), `${url}${number}`);
  expect(closed).toHaveLength(44);
});

it('all are closed at the end, also those in use', async () => {
  const clients = clientsOf();
  clients.take(endpoint(1), `${url}used`);
  clients.take(endpoint(2), `${url}idle`);
  clients.release(endpoint(2), `${url}idle`);
  await clients.closeAll();
  expect(closed.toSorted()).toEqual([`${url}idle`, `${url}used`]);
});
