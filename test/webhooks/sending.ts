/** The sender's side of tests with receivers that run here. */
import { afterEach, expect } from 'vitest';
import { AddressGuard } from '../../src/outgoing/guard.js';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { EndpointClient, type EndpointClientOptions } from '../../src/webhooks/delivery/client.js';

const sandboxGuard = new AddressGuard({ allowsLoopback: true, allowedNetworks: [] });

export const notification = {
  headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
  body: Buffer.from('{"type":"kyc.submitted","data":{"name":"Zoë 中"}}'),
};

export interface Sender {
  readonly client: EndpointClient;
  send(): Promise<AttemptResult>;
}

/** Clients that are closed after the test. */
export function useSenders(): (url: string, options?: Partial<Omit<EndpointClientOptions, 'url'>>) => Sender {
  const clients: EndpointClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  return (url, options) => {
    const client = new EndpointClient({ url, lanes: 4, guard: sandboxGuard, ...options });
    clients.push(client);
    return { client, send: () => client.post(notification) };
  };
}

export function expectAnswered(result: AttemptResult, status: number): string {
  expect(result).toMatchObject({ kind: 'answered', status });
  return result.kind === 'answered' ? result.answerStart.toString('latin1') : '';
}

export function expectFailed(result: AttemptResult, reason: string): void {
  expect(result).toEqual({ kind: 'failed', reason, durationMs: expect.any(Number) });
}
