/** Which urls a merchant may register: rules about the text of the url, and about where its host leads now. */
import type { FieldFault } from '../../errors.js';
import type { AddressGuard } from '../../outgoing/guard.js';
import { OutgoingError } from '../../outgoing/outgoing-error.js';
import { hostOf, isLiteral, type Target, targetOf } from '../../outgoing/target.js';

export interface UrlPolicy {
  readonly mode: 'sandbox' | 'live';
  /** The public url of this service: notifications to ourselves are refused. */
  readonly ownUrl: string;
}

const longestUrl = 2048;
const livePorts = [443, 8443];
/** Printable ASCII without a backslash: the URL parser would silently repair, drop or translate other characters. */
const plainUrl = /^https?:\/\/(?=[!-[\]-~]*$)([^/?#]+)/i;
const example = 'https://example.com/hooks';

/** Returns everything that is wrong with the field `url`. */
export function urlFaults(text: string, policy: UrlPolicy): FieldFault[] {
  const faults = text.length > longestUrl ? [tooLong()] : [];
  const [, authority] = plainUrl.exec(text) ?? [];
  if (authority === undefined || !URL.canParse(text)) {
    return [...faults, wrongFormat(`must be an address such as ${example}`)];
  }
  const url = new URL(text);
  if (authority.includes('@')) faults.push(notAllowed('must not hold a user name or password'));
  if (text.includes('#')) faults.push(notAllowed('must not have a fragment (#)'));
  if (!isPlainHost(authority, url)) faults.push(wrongFormat(`must have its host written as ${hostOf(url)}`));
  if (isOwn(targetOf(url), policy.ownUrl)) faults.push(notAllowed('must not be an address of this service'));
  return policy.mode === 'live' ? [...faults, ...liveFaults(url)] : faults;
}

/** `blocked_address` and `name_not_found` are for the log only: the merchant must not learn which it was. */
export async function resolvesToPublic(
  url: string,
  guard: AddressGuard,
): Promise<'public' | 'blocked_address' | 'name_not_found'> {
  try {
    await guard.vet(hostOf(new URL(url)));
    return 'public';
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return error.reason === 'blocked_address' ? 'blocked_address' : 'name_not_found';
  }
}

function liveFaults(url: URL): FieldFault[] {
  const { isTls, host, port } = targetOf(url);
  const faults: FieldFault[] = [];
  if (!isTls) faults.push(notAllowed('must begin with https://'));
  else if (!livePorts.includes(port)) faults.push(notAllowed('must have port 443 or 8443', livePorts));
  if (isLiteral(host)) faults.push(notAllowed('must have a host name, not an address'));
  return faults;
}

/** The host must be written as it is called: `0x7f.1` and `ex%61mple.com` hide where they lead. */
function isPlainHost(authority: string, url: URL): boolean {
  const written = authority.replace(/^.*@/, '').replace(/:\d*$/, '');
  return written.toLowerCase() === url.hostname && !url.hostname.endsWith('.');
}

/** A host name is ours on every port. On loopback only our own port is: other ports belong to other programs. */
function isOwn(target: Target, ownUrl: string): boolean {
  if (!URL.canParse(ownUrl)) return false;
  const own = targetOf(new URL(ownUrl));
  if (isThisMachine(own.host)) return isThisMachine(target.host) && target.port === own.port;
  return target.host === own.host;
}

function isThisMachine(host: string): boolean {
  return /^127\.|^::1$|^0\.0\.0\.0$|^::$|(^|\.)localhost$/.test(host);
}

function tooLong(): FieldFault {
  return {
    field: 'url',
    code: 'too_long',
    message: `must have at most ${longestUrl} characters`,
    max: longestUrl,
  };
}

function wrongFormat(message: string): FieldFault {
  return { field: 'url', code: 'wrong_format', message };
}

function notAllowed(message: string, allowed?: readonly number[]): FieldFault {
  return { field: 'url', code: 'not_allowed', message, ...(allowed ? { allowed } : {}) };
}
