/**
 * Decides which addresses a connection to a host may use. It is called before every connection, which then uses one of
 * the returned addresses, never the name.
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
   * Returns the addresses of the host. Throws `OutgoingError` (`blocked_address`) when any of them is not allowed: a
   * name with public and private addresses is suspicious. Throws `name_not_found` or `timeout` when the name does not
   * resolve.
   */
  async vet(host: string): Promise<readonly string[]> {
    const resolved = isIP(host) === 0 ? await this.resolve(host, resolveWithinMs) : [host];
    const addresses = new Set<string>();
    for (const text of resolved) {
      const address = parseAddress(text);
      if (!address || !isAllowedAddress(address, this.policy)) throw new OutgoingError('blocked_address');
      addresses.add(address.toString());
    }
    if (addresses.size === 0) throw new OutgoingError('name_not_found');
    return [...addresses];
  }
}

/** Logs the allowed private networks at every start, so that the operator knows where requests may go. */
export function createGuard(policy: AddressPolicy, log: Log): AddressGuard {
  const networks = policy.allowedNetworks.map(({ text }) => text);
  if (networks.length > 0) log.warn({ networks }, 'notifications may also be sent to private networks');
  return new AddressGuard(policy);
}

/** Compares two addresses that may be written in different notations. */
export function isSameAddress(actual: string | undefined, expected: string): boolean {
  const address: Address | undefined = actual === undefined ? undefined : parseAddress(actual);
  return address !== undefined && address.toString() === parseAddress(expected)?.toString();
}
