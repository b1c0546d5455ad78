/** A publisher of rates whose answers the test decides. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type RateSource, RateSourceFault, type RateSourceFaultReason } from '../../src/rates/sources/rate-source.js';

/** Part of every address. No fault may contain it. */
export const secret = 'k3y-0f-th3-0p3rat0r';

export interface RateServer {
  readonly address: URL;
  /** The requests of the running test. */
  readonly requests: IncomingMessage[];
  listener: RequestListener;
  /** Sets the answer to all further requests. */
  answer(body: string | Uint8Array, headers?: Readonly<Record<string, string>>, status?: number): void;
  connections(): Promise<number>;
}

export function useRateServer(): RateServer {
  let http: Server;
  const rates: RateServer = {
    requests: [],
    listener: () => {},
    get address() {
      const { port } = http.address() as AddressInfo;
      return new URL(`http://user:${secret}@127.0.0.1:${port}/latest?app_id=${secret}`);
    },
    answer(body, headers = {}, status = 200) {
      rates.listener = (_request, response) => response.writeHead(status, headers).end(body);
    },
    connections() {
      return new Promise((resolve, reject) =>
        http.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );
    },
  };
  beforeAll(async () => {
    http = createServer((request, response) => {
      rates.requests.push(request);
      rates.listener(request, response);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    rates.requests.length = 0;
  });
  afterAll(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return rates;
}

export const neverAborted = new AbortController().signal;

export async function fetchNew(source: RateSource) {
  const published = await source.fetch({}, neverAborted);
  if (!published) throw new Error('the source has nothing new');
  return published;
}

async function faultOf(attempt: () => unknown): Promise<RateSourceFault> {
  const error = await Promise.resolve()
    .then(attempt)
    .then(
      (value) => new Error(`no fault, but ${JSON.stringify(value)}`),
      (reason: unknown) => reason,
    );
  if (!(error instanceof RateSourceFault)) throw error;
  return error;
}

/** Expects a fault with this reason, whose message and stack contain nothing of the address or the document. */
export async function expectFault(attempt: () => unknown, reason: RateSourceFaultReason): Promise<void> {
  const fault = await faultOf(attempt);
  expect(fault.reason).toBe(reason);
  expect(fault.cause).toBeUndefined();
  expect(fault.message).toMatch(/^[A-Z][\w ,.'%:()-]*\.$/);
  expect(fault.stack).not.toContain(secret);
  expect(fault.message).not.toMatch(/127\.0\.0\.1|latest/);
}
