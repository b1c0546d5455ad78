import { describe, expect, it } from 'vitest';
import { networkOf, sourceAddress } from '../../src/http/traffic/source-address.js';
import { eventually } from '../harness/eventually.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

describe('the address by which a caller without a token is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['no address', 'no address'],
  ])('%s counts as %s', (address, counted) => {
    expect(sourceAddress(address)).toBe(counted);
  });
});

it.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
  ['no address', 'unknown'],
  ['192.0.2.7\n{"msg":"forged"}', 'unknown'],
])('the log names the caller %j by its network only, as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('wrong secrets', () => {
  const running = useService(useTestDatabase(), { settings: { TRUST_PROXY: 'true' } });
  let clients = 0;

  /** Each time for another client, so that only the address is counted. */
  const guessFrom = async (address: string) => {
    clients += 1;
    const response = await fetch(`${running.service.url}/oauth/token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: `nobody-${clients}`,
        client_secret: 'wrong',
      }),
    });
    return response.status;
  };

  it('name in the log the network that our proxy has seen', async () => {
    await guessFrom('203.0.113.77');
    const line = await eventually(() =>
      running
        .logText()
        .split('\n')
        .find((text) => text.includes('"client":"203.0.113.0/24"')),
    );
    expect(line).toContain('"route":"/oauth/token"');
    expect(running.logText()).not.toContain('203.0.113.77');
  });

  it('are counted together for all addresses of one IPv6 /64, and apart for another /64', async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 21; host += 1) statuses.push(await guessFrom(`2001:db8:0:1::${host}`));
    expect(statuses).toEqual([...new Array(20).fill(401), 429]);
    expect(await guessFrom('2001:db8:0:2::1')).toBe(401);
  });
});
