/**
 * Returns the address by which a caller without a token is counted. An IPv6 subscriber owns a whole /64 and can send
 * from any address in it, so the /64 counts as one. An IPv4 address that is written as IPv6 counts as IPv4. Needed
 * against attack 3 when it comes from many addresses of one subscriber.
 */
import { isIPv6 } from 'node:net';

const ipv4Mapped = [0, 0, 0, 0, 0, 0xffff];
/** Behind NAT64 (RFC 6052) all of IPv4 shares one /64. */
const nat64 = [0x64, 0xff9b, 0, 0, 0, 0];

export function sourceAddress(address: string): string {
  // Most addresses are IPv4, and the exact check is slow.
  if (!address.includes(':') || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (startsWith(groups, ipv4Mapped) || startsWith(groups, nat64)) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * The network of a caller, for the log: enough to find and to refuse a flood, too little to recognise a person.
 * `unknown` for what is no address, which a caller may have written.
 */
export function networkOf(address: string): string {
  const source = sourceAddress(address);
  if (source.endsWith('::/64')) return `${source.split(':', 3).join(':')}::/48`;
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(source) ? source.replace(/\d+$/, '0/24') : 'unknown';
}

/** The eight groups of an address that is known to be IPv6. */
function groupsOf(address: string): number[] {
  const withoutZone = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, hexGroupsOf);
  const [head = '', tail] = withoutZone.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16));
}

function hexGroupsOf(_ipv4: string, ...bytes: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function startsWith(groups: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((group, index) => groups[index] === group);
}
