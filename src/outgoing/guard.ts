/**
 * Says which addresses a connection to a host may use. It owns the decision and knows nothing of HTTP: whoever connects
 * asks each time, and connects to an address that was answered, never to the name.
 */
import { isIP } from 'node:net';
import type { Log } from '../log.js';
import { type Address, type AddressPolicy, isAllowedAddress, parseAddress } from './address.js';
import { OutgoingFault } from './fault.js';
import { type ResolveName, resolveName } from './resolve.js';

const resolvedWithinMs = 3_000;

export class AddressGuard {
  constructor(
    readonly policy: AddressPolicy,
    readonly resolve: ResolveName = resolveName,
  ) {}

  /** One address that is not allowed refuses the host: a name that leads inside and outside is up to something. */
  async vet(host: string): Promise<readonly string[]> {
    const found = isIP(host) === 0 ? await this.resolve(host, resolvedWithinMs) : [host];
    const addresses = new Set<string>();
    for (const text of found) {
      const address = parseAddress(text);
      if (!address || !isAllowedAddress(address, this.policy)) throw new OutgoingFault('blocked_address');
      addresses.add(address.toString());
    }
    if (addresses.size === 0) throw new OutgoingFault('name_not_found');
    return [...addresses];
  }
}

/** What the operator opened is said at every start: nobody is to be surprised by where requests go. */
export function announcedGuard(policy: AddressPolicy, log: Log): AddressGuard {
  const networks = policy.allowedNetworks.map(({ text }) => text);
  if (networks.length > 0) log.warn({ networks }, 'notifications may also go to networks of your own');
  return new AddressGuard(policy);
}

/** Whether a connection is really to that address, whatever either is written like. */
export function isSameAddress(one: string | undefined, other: string): boolean {
  const address: Address | undefined = one === undefined ? undefined : parseAddress(one);
  return address !== undefined && address.toString() === parseAddress(other)?.toString();
}
