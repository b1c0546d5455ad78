/**
 * Which addresses a request of ours may leave for: public ones, and what the operator opened by hand. Everything that
 * is not known to be public is refused; a list of bad addresses would always be one behind.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isInside, type Network } from './network.js';

export interface AddressPolicy {
  /** In the sandbox, whose receivers run on the developer's own machine. */
  readonly allowsLoopback: boolean;
  /** Opened by the operator, for merchants inside his own network. */
  readonly allowedNetworks: readonly Network[];
}

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All that will ever be public; outside of it are old and translated forms that the library takes for ordinary. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** A public number that Azure answers from inside every virtual machine's host. */
const azurePlatform = '168.63.129.16';
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Undefined where the text is not an address. An IPv4 address in the coat of IPv6 is the IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  // Loose notations and zones end here. `::1.2.3.4` does too: the library takes it for mapped, the kernel does not.
  if (isIP(text) === 0 || text.includes('%') || /^::[\d.]+\.\d+$/.test(text)) return undefined;
  return ipaddr.process(text);
}

export function isAllowedAddress(address: Address, policy: AddressPolicy): boolean {
  if (isPublic(address)) return true;
  if (policy.allowsLoopback && address.range() === 'loopback') return true;
  return isOpened(address, policy.allowedNetworks);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(publicIPv6) : address.toString() !== azurePlatform;
}

function isOpened(address: Address, networks: readonly Network[]): boolean {
  if (!networks.some((network) => isInside(address, network))) return false;
  const inner = translatedAddress(address);
  return inner === undefined || isPublic(inner) || isOpened(inner, networks);
}

/** A NAT64 gateway that is opened leads to the whole of IPv4: what it leads to is judged too. */
function translatedAddress(address: Address): Address | undefined {
  if (address.kind() === 'ipv4' || !address.match(translated)) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
