/**
 * Which addresses outgoing requests may go to: public ones, and networks that the operator allows. Every address that
 * is not known to be public is refused, because a list of bad addresses is never complete.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isInside, type Network } from './network.js';

export interface AddressPolicy {
  /** True in the sandbox, where receivers run on the developer's own machine. */
  readonly allowsLoopback: boolean;
  /** Set by the operator, for merchants inside the operator's own network. */
  readonly allowedNetworks: readonly Network[];
}

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The global unicast range. Outside of it are obsolete and translated forms that the library treats as unicast. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** A public address that inside Azure leads to the host of the virtual machine. */
const azurePlatform = '168.63.129.16';
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Returns undefined when the text is not an address. An IPv4-mapped IPv6 address becomes the IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  // Refuses loose notations, zones, and `::1.2.3.4`, which the library takes for IPv4-mapped and the kernel does not.
  if (isIP(text) === 0 || text.includes('%') || /^::[\d.]+\.\d+$/.test(text)) return undefined;
  return ipaddr.process(text);
}

export function isAllowedAddress(address: Address, policy: AddressPolicy): boolean {
  if (isPublic(address)) return true;
  if (policy.allowsLoopback && address.range() === 'loopback') return true;
  return isAllowedByOperator(address, policy.allowedNetworks);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(publicIPv6) : address.toString() !== azurePlatform;
}

function isAllowedByOperator(address: Address, networks: readonly Network[]): boolean {
  if (!networks.some((network) => isInside(address, network))) return false;
  const inner = translatedAddress(address);
  return inner === undefined || isPublic(inner) || isAllowedByOperator(inner, networks);
}

/** A NAT64 gateway leads to all of IPv4, so the IPv4 address behind it must be allowed too. */
function translatedAddress(address: Address): Address | undefined {
  if (address.kind() === 'ipv4' || !address.match(nat64)) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
