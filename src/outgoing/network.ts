/** Reads lists of networks such as `10.20.0.0/16, fd00::/8`. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Network {
  readonly text: string;
  readonly first: ipaddr.IPv4 | ipaddr.IPv6;
  readonly prefixLength: number;
}

/** A larger network is not private. `0.0.0.0/0` would turn the guard off. */
const shortestPrefix = { ipv4: 8, ipv6: 7 };

/** Returns the networks of a comma-separated list, or what is wrong with it. */
export function networksOf(list: string): Network[] | string {
  const networks: Network[] = [];
  for (const text of list.split(',').map((part) => part.trim())) {
    if (text === '') continue;
    const network = networkOf(text);
    if (typeof network === 'string') return network;
    networks.push(network);
  }
  return networks;
}

export function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, { first, prefixLength }: Network): boolean {
  return address.kind() === first.kind() && address.match(first, prefixLength);
}

function networkOf(text: string): Network | string {
  const [, address = '', length = ''] = /^([\d.a-f:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const prefixLength = Number(length);
  if (isIP(address) === 0 || prefixLength > (isIP(address) === 4 ? 32 : 128)) {
    return `must be a comma-separated list of networks such as 10.20.0.0/16, not ${JSON.stringify(text)}`;
  }
  const first = ipaddr.parse(address);
  if (prefixLength < shortestPrefix[first.kind()]) {
    return `must not have ${text}: that is not a private network but a large part of the internet`;
  }
  if (first.toString() !== firstOf(text, first)) {
    return `must write a network with its first address: ${firstOf(text, first)}/${length}, not ${text}`;
  }
  return { text, first, prefixLength };
}

function firstOf(text: string, { kind }: ipaddr.IPv4 | ipaddr.IPv6): string {
  const family = kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return family.networkAddressFromCIDR(text).toString();
}
