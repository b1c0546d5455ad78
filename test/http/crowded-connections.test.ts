/** New connections when all are taken, and streamed answers whose callers disconnect. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import Type from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { page } from '../../src/http/page-route.js';
import { type Route, stream } from '../../src/http/route.js';
import { useBareServer } from '../harness/bare-server.js';
import { eventually } from '../harness/eventually.js';
import { plainTokens } from '../rooms/notes.js';
import { openSocket } from './raw-socket.js';

/** More than the buffers between the two sides hold. */
const large = 'x'.repeat(20_000_000);
/** What a page and the search for a user wait for. */
let waiting: (() => void)[] = [];
const wait = () => new Promise<void>((resolve) => waiting.push(resolve));
const goOn = () => {
  for (const resolve of waiting.splice(0)) resolve();
};

const described = {
  method: 'GET',
  tag: 'Crowd',
  summary: 'A page',
  access: { token: 'none' },
  showFailure: ({ status }) => ({ html: String(status) }),
} as const satisfies Partial<Parameters<typeof page>[0]>;
const routes: Route[] = [
  page({ ...described, path: '/small', operationId: 'small', run: async () => ({ html: 'small' }) }),
  page({
    ...described,
    path: '/waiting',
    operationId: 'waiting',
    run: () => wait().then(() => ({ html: 'waited' })),
  }),
  stream({
    method: 'GET',
    path: '/stream',
    operationId: 'stream',
    tag: 'Crowd',
    summary: 'A stream',
    access: { token: 'merchant', scope: 'users', user: 'required' },
    answer: Type.String(),
    run: async () => ({ chunks: endless() }),
  }),
];

async function* endless() {
  for (;;) yield large;
}

const bare = useBareServer({
  routes,
  edge: {
    authenticator: {
      ...plainTokens,
      findUser: async (merchant, selector) => {
        await wait();
        return plainTokens.findUser(merchant, selector);
      },
    },
  },
  requestsInFlight: 100,
  bounds: { connections: 5 },
});
const { server } = bare;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await eventually(() => server.traffic.connections.size === 0);
  waiting = [];
});

/** Asks from this address and reads nothing. */
function ask(path: string): Socket {
  const socket = openSocket(bare.url);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\n\r\n`);
  open.push(socket);
  return socket;
}

async function firstLine(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, 'data');
  return String(bytes).split('\r\n', 1)[0] ?? '';
}

describe('when every connection is busy', () => {
  it('a new connection is refused while all others are worked on', async () => {
    const worked = Array.from({ length: 5 }, () => ask('/waiting'));
    await eventually(() => waiting.length === 5);
    await once(ask('/small').resume(), 'close');
    goOn();
    for (const socket of worked) expect(await firstLine(socket)).toBe('HTTP/1.1 200 OK');
  });
});

describe('a streamed answer', () => {
  it('is not counted when its caller disconnected before it began', async () => {
    const socket = ask('/stream?userId=107');
    await eventually(() => waiting.length === 1);
    socket.destroy();
    await eventually(() => server.traffic.connections.size === 0);
    goOn();
    await new Promise(setImmediate);
    expect(server.traffic.streams.size).toBe(0);
  });

  it('is no longer counted when its caller disconnects while it waits behind another answer', async () => {
    const socket = ask('/stream?userId=107');
    socket.write('GET /stream?userId=107 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\n\r\n');
    await eventually(() => waiting.length === 2);
    goOn();
    await eventually(() => server.traffic.streams.size === 2);
    socket.destroy();
    await eventually(() => server.traffic.streams.size === 0);
  });
});
