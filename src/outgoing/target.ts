/** Host, port and protocol of a url. */
import { isIP } from 'node:net';

export interface Target {
  readonly isTls: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

export function targetOf(url: URL): Target {
  const isTls = url.protocol === 'https:';
  return { isTls, host: hostOf(url), port: Number(url.port) || (isTls ? 443 : 80) };
}

/** Without the brackets of an IPv6 address and without a trailing dot: certificates and hosts files have neither. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

export function isLiteral(host: string): boolean {
  return isIP(host) !== 0;
}
