/** Where an id leads to. Pure. */

import { isConsoleAddress } from '../same-origin.js';

const byPrefix: Readonly<Record<string, string>> = {
  ord: 'orders',
  kyc: 'kyc',
  hit: 'screening/hits',
  apr: 'approvals',
  pay: 'payments',
  sus: 'suspense',
  imp: 'payments/imports',
  att: 'payouts',
  rfd: 'payouts',
  blk: 'blocks',
  cas: 'cases',
  bat: 'bank/batches',
};
const publicId = /^([a-z]{2,3})_[0-9A-Z]{26}$/;

/** Undefined for a value that has no page. */
export function addressOfValue(name: string, value: string): string | undefined {
  if (/^\/operator\//.test(value)) {
    const address = consoleAddress(value);
    return isConsoleAddress(address) ? address : undefined;
  }
  const prefix = publicId.exec(value)?.[1];
  const folder = prefix === undefined ? undefined : byPrefix[prefix];
  if (folder !== undefined) return `/console/${folder}/${value}`;
  if (name === 'merchant' || name === 'clientId') return `/console/merchants/${encodeURIComponent(value)}`;
  return undefined;
}

/** The page of a GET of the operators' API. */
function consoleAddress(path: string): string {
  return path.replace(/^\/operator\/tasks$/, '/operator').replace(/^\/operator/, '/console');
}

/** What the audit log calls a record, by the page of the record. */
export function auditSubject(address: string): string | undefined {
  const [, folder = '', id = ''] = /^\/console\/(.+)\/([^/]+)$/.exec(address) ?? [];
  const kinds: Readonly<Record<string, string>> = {
    orders: 'order',
    kyc: 'kyc',
    'screening/hits': 'hit',
    payments: 'payment',
    'payments/imports': 'payment_import',
    suspense: 'suspense',
    payouts: 'payout',
  };
  const kind = kinds[folder];
  return kind === undefined ? undefined : `${kind}:${decodeURIComponent(id)}`;
}
