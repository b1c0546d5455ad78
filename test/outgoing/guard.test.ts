/** What a name leads to, and that a connection goes there and nowhere else. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/outgoing/connect.js';
import { AddressGuard, isSameAddress } from '../../src/outgoing/guard.js';
import { type Network, networksOf } from '../../src/outgoing/network.js';
import { addressesInHostsFile, resolveName } from '../../src/outgoing/resolve.js';

const sandbox = { allowsLoopback: true, allowedNetworks: [] };
const live = { allowsLoopback: false, allowedNetworks: [] };
const leadsTo = (...addresses: string[]) => new AddressGuard(sandbox, async () => addresses);

describe('the guard', () => {
  it('answers with all addresses, each once and in one form', async () => {
    const found = ['93.184.216.34', '::ffff:93.184.216.34', '2606:2800:0220:0001::5', '93.184.216.34'];
    expect(await leadsTo(...found).vet('receiver.example')).toEqual(['93.184.216.34', '2606:2800:220:1::5']);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '64:ff9b::1'])(
    'looks nothing up for an address: %s',
    async (address) => {
      const guard = new AddressGuard(live, async () => ['93.184.216.34']);
      await expect(guard.vet(address)).rejects.toMatchObject({ reason: 'blocked_address' });
    },
  );

  it('asks anew each time', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const guard = new AddressGuard(live, async () => answers.shift() ?? []);
    expect(await guard.vet('receiver.example')).toEqual(['93.184.216.34']);
    await expect(guard.vet('receiver.example')).rejects.toMatchObject({ reason: 'blocked_address' });
    await expect(guard.vet('receiver.example')).rejects.toMatchObject({ reason: 'name_not_found' });
  });
});

describe('a name is looked up', () => {
  it.each(['localhost', 'receiver.localhost'])('%s is this machine, whatever anybody says', async (name) => {
    expect(await resolveName(name, 1000)).toEqual(['127.0.0.1', '::1']);
  });

  it('in the hosts file first', () => {
    const text = [
      '127.0.0.1\tlocalhost',
      '# 10.0.0.9 receiver.example',
      '10.0.0.1  other.example  Receiver.Example # its old place',
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

  it('is to the address that was vetted', async () => {
    const socket = await open(leadsTo('127.0.0.1'));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('is to the next address where the first refuses', async () => {
    const socket = await open(leadsTo('127.0.0.2', '127.0.0.3', '127.0.0.1'));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('is not tried with more than four addresses', async () => {
    const guard = leadsTo('127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.1');
    await expect(open(guard)).rejects.toMatchObject({ reason: 'connection_failed' });
  });

  it('that the system makes to an address that was not vetted is closed', async () => {
    // 0.0.0.0 leads to 127.0.0.1, which is not allowed here.
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
  ])('to %s is one to %s: %s', (real, wanted, expected) => {
    expect(isSameAddress(real, wanted)).toBe(expected);
  });
});
