/** Public and refused addresses at the borders of every special-purpose range. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressPolicy, isAllowedAddress, parseAddress } from '../../src/outgoing/address.js';
import { type Network, networksOf } from '../../src/outgoing/network.js';

const live: AddressPolicy = { allowsLoopback: false, allowedNetworks: [] };
const sandbox: AddressPolicy = { allowsLoopback: true, allowedNetworks: [] };

function allowing(list: string): AddressPolicy {
  return { allowsLoopback: false, allowedNetworks: networksOf(list) as Network[] };
}

function isAllowed(text: string, policy: AddressPolicy = live): boolean {
  const address = parseAddress(text);
  return address !== undefined && isAllowedAddress(address, policy);
}

const publicAddresses = [
  ['the first after "this network"', '1.0.0.0'],
  ['the last before 10/8', '9.255.255.255'],
  ['the first after 10/8', '11.0.0.0'],
  ['the last before CGNAT', '100.63.255.255'],
  ['the first after CGNAT', '100.128.0.0'],
  ['the last before loopback', '126.255.255.255'],
  ['the first after loopback', '128.0.0.0'],
  ['the last before link-local', '169.253.255.255'],
  ['the first after link-local', '169.255.0.0'],
  ['the last before 172.16/12', '172.15.255.255'],
  ['the first after 172.16/12', '172.32.0.0'],
  ['the first after 192.0.0/24', '192.0.1.0'],
  ['the first after the first documentation net', '192.0.3.0'],
  ['the last before 192.168/16', '192.167.255.255'],
  ['the first after 192.168/16', '192.169.0.0'],
  ['the last before benchmarking', '198.17.255.255'],
  ['the first after benchmarking', '198.20.0.0'],
  ['the last before multicast', '223.255.255.255'],
  ['the neighbours of the Azure platform', '168.63.129.15'],
  ['the neighbours of the Azure platform', '168.63.129.17'],
  ['a name server', '8.8.8.8'],
  ['a name server by IPv6', '2606:4700:4700::1111'],
  ['the first after 2001::/23', '2001:200::'],
  ['the last before documentation', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['the first after documentation', '2001:db9::'],
  ['the last before 6to4', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['the first after 6to4', '2003::'],
  ['the last before the second documentation net', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['the last of the public range', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['a public IPv4 address, mapped', '::ffff:8.8.8.8'],
  ['a public IPv4 address, mapped, in hexadecimal', '::ffff:808:808'],
] as const;

const refusedAddresses = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.255.255.255'],
  ['private', '10.0.0.0'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.0'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.0'],
  ['private', '192.168.255.255'],
  ['carrier-grade NAT', '100.64.0.0'],
  ['carrier-grade NAT, a metadata service', '100.100.100.200'],
  ['carrier-grade NAT', '100.127.255.255'],
  ['loopback', '127.0.0.0'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.255'],
  ['link-local', '169.254.0.0'],
  ['the metadata service', '169.254.169.254'],
  ['link-local', '169.254.255.255'],
  ['protocol assignments', '192.0.0.0'],
  ['protocol assignments, a metadata service', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.255'],
  ['6to4 relays', '192.88.99.1'],
  ['AS112', '192.31.196.1'],
  ['AS112', '192.175.48.1'],
  ['AMT', '192.52.193.1'],
  ['benchmarking', '198.18.0.0'],
  ['benchmarking', '198.19.255.255'],
  ['multicast', '224.0.0.0'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.0'],
  ['broadcast', '255.255.255.255'],
  ['the Azure platform', '168.63.129.16'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::2'],
  ['IPv4-compatible loopback', '::7f00:1'],
  ['IPv4-compatible loopback, dotted', '::127.0.0.1'],
  ['IPv4-compatible public', '::8.8.8.8'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback, in hexadecimal', '::ffff:7f00:1'],
  ['mapped loopback, written out', '0:0:0:0:0:ffff:7f00:0001'],
  ['mapped private', '::ffff:10.1.2.3'],
  ['mapped metadata service', '::ffff:169.254.169.254'],
  ['mapped Azure platform', '::ffff:168.63.129.16'],
  ['translated (SIIT)', '::ffff:0:127.0.0.1'],
  ['NAT64 of loopback', '64:ff9b::127.0.0.1'],
  ['NAT64 of a public address', '64:ff9b::8.8.8.8'],
  ['local NAT64', '64:ff9b:1::10.0.0.1'],
  ['discard', '100::1'],
  ['before the public range', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::1'],
  ['Teredo of loopback', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  ['benchmarking', '2001:2::1'],
  ['AMT', '2001:3::1'],
  ['AS112', '2001:4:112::1'],
  ['ORCHID', '2001:10::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['drone tags', '2001:30::1'],
  ['protocol assignments', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::1'],
  ['6to4 of loopback', '2002:7f00:1::1'],
  ['6to4 of a private address', '2002:c0a8:1::'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['AS112', '2620:4f:8000::1'],
  ['documentation', '3fff::1'],
  ['documentation', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['after the public range', '4000::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['unique local, a metadata service', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with its zone', 'fe80::1%lo'],
  ['a public address with a zone', '2606:4700::1%eth0'],
  ['site-local', 'fec0::1'],
  ['unassigned', 'fe00::1'],
  ['multicast', 'ff02::1'],
  ['octal', '0177.0.0.1'],
  ['one number', '134744072'],
  ['short', '8.8'],
  ['hexadecimal', '0x8.0x8.0x8.0x8'],
  ['a name', 'example.com'],
  ['an empty text', ''],
] as const;

describe('an address is public', () => {
  it.each(publicAddresses)('%s: %s', (_what, text) => {
    expect(isAllowed(text)).toBe(true);
  });
});

describe('an address is refused', () => {
  it.each(refusedAddresses)('%s: %s', (_what, text) => {
    expect(isAllowed(text)).toBe(false);
  });
});

describe('the sandbox', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '8.8.8.8'])('allows %s too', (text) => {
    expect(isAllowed(text, sandbox)).toBe(true);
  });

  it('allows nothing else that live refuses', () => {
    const isLoopback = (what: string) => /(^|mapped )loopback/.test(what);
    const alsoAllowed = refusedAddresses.filter(([what, text]) => !isLoopback(what) && isAllowed(text, sandbox));
    expect(alsoAllowed).toEqual([]);
  });
});

describe('a network that the operator allows', () => {
  it.each([
    ['10.20.0.0/16', '10.20.0.0', true],
    ['10.20.0.0/16', '10.20.255.255', true],
    ['10.20.0.0/16', '::ffff:10.20.3.4', true],
    ['10.20.0.0/16', '10.21.0.0', false],
    ['10.20.0.0/16', '10.19.255.255', false],
    ['10.20.0.0/16', '8.8.8.8', true],
    ['10.20.0.0/16', '127.0.0.1', false],
    ['10.20.0.0/16', 'fd00::1', false],
    ['fd00::/8', 'fd12:3456::1', true],
    ['fd00::/8', 'fc00::1', false],
    ['fd00::/8', '253.0.0.1', false],
    ['10.1.2.3/32, fd00::/8', '10.1.2.3', true],
    ['10.1.2.3/32, fd00::/8', '10.1.2.4', false],
    ['127.0.0.0/8', '127.0.0.1', true],
    ['64:ff9b::/96', '64:ff9b::8.8.8.8', true],
    ['64:ff9b::/96', '64:ff9b::10.0.0.1', false],
    ['64:ff9b::/96', '64:ff9b::127.0.0.1', false],
    ['64:ff9b::/96', '64:ff9b::169.254.169.254', false],
    ['64:ff9b::/96,10.0.0.0/8', '64:ff9b::10.0.0.1', true],
  ])('%s: %s → %s', (list, text, expected) => {
    expect(isAllowed(text, allowing(list))).toBe(expected);
  });

  it.each([
    ['', []],
    [' , ', []],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['10.0.0.0/8,,fc00::/7 ', ['10.0.0.0/8', 'fc00::/7']],
  ])('is read from %j', (list, expected) => {
    expect((networksOf(list) as Network[]).map(({ text }) => text)).toEqual(expected);
  });

  it.each([
    ['10.0.0.0', 'must be a comma-separated list of networks such as 10.20.0.0/16, not "10.0.0.0"'],
    ['10.0.0.0/33', 'must be a comma-separated list of networks such as 10.20.0.0/16, not "10.0.0.0/33"'],
    ['fd00::/129', 'must be a comma-separated list of networks such as 10.20.0.0/16, not "fd00::/129"'],
    ['10.0/16', 'must be a comma-separated list of networks such as 10.20.0.0/16, not "10.0/16"'],
    ['012.0.0.0/8', 'must be a comma-separated list of networks such as 10.20.0.0/16, not "012.0.0.0/8"'],
    ['fe80::%lo/64', 'must be a comma-separated list of networks such as 10.20.0.0/16, not "fe80::%lo/64"'],
    ['intranet', 'must be a comma-separated list of networks such as 10.20.0.0/16, not "intranet"'],
    ['10.1.0.0/8', 'must write a network with its first address: 10.0.0.0/8, not 10.1.0.0/8'],
    ['fd00::1/8', 'must write a network with its first address: fd00::/8, not fd00::1/8'],
    ['0.0.0.0/0', 'must not have 0.0.0.0/0: that is not a private network but a large part of the internet'],
    ['::/0', 'must not have ::/0: that is not a private network but a large part of the internet'],
    ['::/6', 'must not have ::/6: that is not a private network but a large part of the internet'],
  ])('is refused when it is written as %j', (list, expected) => {
    expect(networksOf(list)).toBe(expected);
  });
});

describe('any address', () => {
  const octet = fc.nat({ max: 255 });
  const group = fc.nat({ max: 0xffff });
  const ipv4 = fc.tuple(octet, octet, octet, octet);
  const hexadecimal = (groups: readonly number[]) => groups.map((part) => part.toString(16)).join(':');

  it('is treated the same when it is IPv4 and mapped to IPv6', () => {
    fc.assert(
      fc.property(ipv4, ([a, b, c, d]) => {
        const plain = isAllowed(`${a}.${b}.${c}.${d}`);
        expect(isAllowed(`::ffff:${a}.${b}.${c}.${d}`)).toBe(plain);
        expect(isAllowed(`::ffff:${hexadecimal([a * 256 + b, c * 256 + d])}`)).toBe(plain);
      }),
    );
  });

  it('is refused when it is IPv4 inside NAT64, 6to4, Teredo and the IPv4-compatible form', () => {
    fc.assert(
      fc.property(ipv4, group, ([a, b, c, d], other) => {
        const inner = hexadecimal([a * 256 + b, c * 256 + d]);
        const inverted = hexadecimal([0xffff ^ (a * 256 + b), 0xffff ^ (c * 256 + d)]);
        expect(isAllowed(`64:ff9b::${inner}`)).toBe(false);
        expect(isAllowed(`64:ff9b:1::${inner}`)).toBe(false);
        expect(isAllowed(`2002:${inner}::${other.toString(16)}`)).toBe(false);
        expect(isAllowed(`2001:0:${inner}:0:${other.toString(16)}:${inverted}`)).toBe(false);
        expect(isAllowed(`::${inner}`)).toBe(false);
      }),
    );
  });

  it('is not public when it is IPv6 and outside 2000::/3', () => {
    const outside = fc
      .tuple(group, group, group, group, group, group, group, group)
      .filter(([first]) => first >> 13 !== 1)
      .map(hexadecimal)
      .filter((text) => !/^0:0:0:0:0:ffff:/.test(text));
    fc.assert(fc.property(outside, (text) => !isAllowed(text)));
  });

  it('is refused in a loose notation, as is any other text', () => {
    const loose = fc.oneof(
      fc.string(),
      ipv4.map(([a, b, c, d]) => `0${a}.${b}.${c}.${d}`),
      ipv4.map((octets) => octets.map((part) => `0x${part.toString(16)}`).join('.')),
      ipv4.map(([a, b, c, d]) => `${a}.${b}.${c * 256 + d + 65_536}`),
    );
    fc.assert(fc.property(loose, (text) => !isAllowed(text)));
  });
});
