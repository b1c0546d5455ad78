/**
 * Signs and posts the same bodies with the same HTTP client and no database. `/burst?count=…` sends so many, four at a
 * time; `/single` one, and answers how long it took.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newPublicId } from '../../src/ids.js';
import { AddressGuard } from '../../src/outgoing/guard.js';
import { EndpointClient } from '../../src/webhooks/delivery/client.js';
import { notificationBody } from '../../src/webhooks/event.js';
import { signatureHeaders } from '../../src/webhooks/signing/signature.js';
import { microseconds } from '../parts/arrivals.js';
import { report } from '../parts/child.js';
import { objectText } from '../parts/events.js';

const [receiver = ''] = process.argv.slice(2);
const url = `${receiver}/hook`;
const lanes = 4;
const guard = new AddressGuard({ allowsLoopback: true, allowedNetworks: [] });
const client = new EndpointClient({ url, lanes, guard });
const signers = { privateKey: generateKeyPairSync('ed25519').privateKey, secrets: [randomBytes(32)] };

async function send(number: number): Promise<void> {
  const eventId = newPublicId('evt');
  const body = Buffer.from(
    notificationBody({
      type: 'order.completed',
      occurredAt: new Date(),
      objectText,
      previousStatus: 'PAYOUT_SUBMITTED',
      sequence: BigInt(number),
    }),
  );
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Remesa-Webhooks/1',
    ...signatureHeaders(signers, eventId, new Date(), body),
  };
  const result = await client.post({ headers, body });
  if (result.kind !== 'answered' || result.status !== 200) throw new Error(JSON.stringify(result));
}

async function burst(count: number): Promise<void> {
  let sent = 0;
  const lane = async () => {
    while (sent < count) {
      sent += 1;
      await send(sent);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', url);
  const began = microseconds();
  if (pathname === '/burst') await burst(Number(searchParams.get('count')));
  else await send(1);
  response.end(String(microseconds() - began));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
