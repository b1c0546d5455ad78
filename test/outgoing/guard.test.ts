/** The addresses of a name, and that a connection goes to one of them and nowhere else. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/outgoing/connect.js';
import { AddressGuard, isSameAddress } from '../../src/outgoing/guard.js';
import { type Network, networksOf } from '../../src/outgoing/network.js';
import { addressesInHostsFile, resolveName } from '../../src/outgoing/resolve.js';

const sandbox = { allowsLoopback: true, allowedNetworks: [] };
const live = { allowsLoopback: false, allowedNetworks: [] };
const guardFor = (...addresses: string[]) => new AddressGuard(sandbox, async () => addresses);

describe('the guard', () => {
  it('returns all addresses of a name, each once and in one notation', async () => {
    const resolved = ['93.184.216.34', '::ffff:93.184.216.34', '2606:2800:0220:0001::5', '93.184.216.34'];
    expect(await guardFor(...resolved).vet('receiver.example')).toEqual(['93.184.216.34', '2606:2800:220:1::5']);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '64:ff9b::1'])(
    'refuses the address %s without a lookup',
    async (address) => {
      const guard = new AddressGuard(live, async () => ['93.184.216.34']);
      await expect(guard.vet(address)).rejects.toMatchObject({ reason: 'blocked_address' });
    },
  );

  it('resolves the name again each time', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const guard = new AddressGuard(live, async () => answers.shift() ?? []);
    expect(await guard.vet('receiver.example')).toEqual(['93.184.216.34']);
    await expect(guard.vet('receiver.example')).rejects.toMatchObject({ reason: 'blocked_address' });
    await expect(guard.vet('receiver.example')).rejects.toMatchObject({ reason: 'name_not_found' });
  });
});

describe('name resolution', () => {
  it.each(['localhost', 'receiver.localhost'])('returns this machine for %s, always', async (name) => {
    expect(await resolveName(name, 1000)).toEqual(['127.0.0.1', '::1']);
  });

  it('reads the hosts file', () => {
    const text = [
      '127.0.0.1\tlocalhost',
      '# 10.0.0.9 receiver.example',
      '10.0.0.1  other.example  Receiver.Example # its old address',
      '::1 ip6-localhost receiver.example',
      'receiver.example',
      '10.0.0.2 receiver.example.org',
    ].join('\n');
    expect(addressesInHostsFile(text, 'receiver.example')).toEqual(['10.0.0.1', '::1']);
    expect(addressesInHostsFile(text, 'its')).toEqual([]);
    expect(addressesInHostsFile('', 'receiver.example')).toEqual([]);
  });
});

describe('a connection', () => {
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.close();
  });
  const open = (guard: AddressGuard) =>
    openConnection({ isTls: false, host: 'receiver.example', port }, { guard, withinMs: 10_000 });

  it('goes to the address that was checked', async () => {
    const socket = await open(guardFor('127.0.0.1'));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('goes to the next address when the first one refuses', async () => {
    const socket = await open(guardFor('127.0.0.2', '127.0.0.3', '127.0.0.1'));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('tries at most four addresses', async () => {
    const guard = guardFor('127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.1');
    await expect(open(guard)).rejects.toMatchObject({ reason: 'connection_failed' });
  });

  it('is closed when it reached an address that was not checked', async () => {
    // 0.0.0.0 connects to 127.0.0.1, which is not allowed here.
    const allowedNetworks = networksOf('0.0.0.0/8') as Network[];
    const guard = new AddressGuard({ allowsLoopback: false, allowedNetworks }, async () => ['0.0.0.0']);
    await expect(open(guard)).rejects.toMatchObject({ reason: 'blocked_address' });
  });

  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['2606:2800:220:1::5', '2606:2800:0220:0001:0::0005', true],
    ['127.0.0.2', '127.0.0.1', false],
    [undefined, '127.0.0.1', false],
    ['nothing', '127.0.0.1', false],
    ['nothing', 'nothing', false],
  ])('treats %s and %s as the same address: %s', (actual, requested, expected) => {
    expect(isSameAddress(actual, requested)).toBe(expected);
  });
});
