/** A merchant's own web site, on another origin: it fetches the contract's document and shows it to its people. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { KycTest } from '../kyc/kyc-service.js';
import type { Applicant } from '../kyc-form/visiting.js';

export interface MerchantSite {
  /** Another site than the service, not only another port. */
  readonly origin: string;
  /** Everything that was asked for, with its query. */
  readonly visited: string[];
}

/**
 * `/` has the document in a frame, `/form` is the document as the merchant hands it on; `/framing` and `/sandboxed`
 * have any address in a frame, the latter without an origin of its own.
 */
export async function merchantSite(
  kyc: KycTest,
  { level, zone, user }: Pick<Applicant, 'level' | 'zone' | 'user'>,
): Promise<MerchantSite> {
  const visited: string[] = [];
  const server = createServer((request, response) => {
    visited.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (pathname === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts');
    if (pathname !== '/form') {
      const framed = pathname === '/' ? '/form' : searchParams.get('frame');
      const body = framed ? `<iframe src="${framed}" title="Form" width="700" height="900"></iframe>` : '';
      response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${body}</html>`);
      return;
    }
    kyc.api
      .get(`/kyc/register/${level}/${zone}?userId=${user.id}`, { token: kyc.acme.token })
      .then(({ text }) => response.end(text))
      .catch((error: unknown) => response.end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sites.push(server);
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, visited };
}

const sites: Server[] = [];

export function closeSitesAfterAll(): void {
  afterAll(() => {
    for (const site of sites.splice(0)) {
      site.closeAllConnections();
      site.close();
    }
  });
}

export async function allowFraming(kyc: KycTest, origins: readonly string[]): Promise<void> {
  await kyc.sql.query('UPDATE merchants SET allowed_origins = $2 WHERE merchant_id = $1', [kyc.acme.merchant, origins]);
}
