/**
 * Decides which addresses a connection to a host may use. It knows nothing of HTTP. It is asked before every connection,
 * and the connection goes to one of the returned addresses, never to the name.
 */
import { isIP } from 'node:net';
import type { Log } from '../log.js';
import { type Address, type AddressPolicy, isAllowedAddress, parseAddress } from './address.js';
import { OutgoingError } from './outgoing-error.js';
import { type ResolveName, resolveName } from './resolve.js';

const resolveWithinMs = 3_000;

export class AddressGuard {
  constructor(
    readonly policy: AddressPolicy,
    readonly resolve: ResolveName = resolveName,
  ) {}

  /**
   * Returns the addresses of the host. Throws `OutgoingError` (`blocked_address`) when any of them is not allowed: a name
   * with public and private addresses is suspicious. Throws `name_not_found` or `timeout` when the name does not resolve.
   */
  async vet(host: string): Promise<readonly string[]> {
    const found = isIP(host) === 0 ? await this.resolve(host, resolveWithinMs) : [host];
    const addresses = new Set<string>();
    for (const text of found) {
      const address = parseAddress(text);
      if (!address || !isAllowedAddress(address, this.policy)) throw new OutgoingError('blocked_address');
      addresses.add(address.toString());
    }
    if (addresses.size === 0) throw new OutgoingError('name_not_found');
    return [...addresses];
  }
}

/** Logs the allowed networks at every start, so that nobody is surprised by where requests go. */
export function announcedGuard(policy: AddressPolicy, log: Log): AddressGuard {
  const networks = policy.allowedNetworks.map(({ text }) => text);
  if (networks.length > 0) log.warn({ networks }, 'notifications may also go to networks of your own');
  return new AddressGuard(policy);
}

/** Compares addresses, whatever their notation. */
export function isSameAddress(actual: string | undefined, expected: string): boolean {
  const address: Address | undefined = actual === undefined ? undefined : parseAddress(actual);
  return address !== undefined && address.toString() === parseAddress(expected)?.toString();
}
