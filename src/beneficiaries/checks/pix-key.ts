/** Pix keys: what a Brazilian account can be named by (Banco Central do Brasil, "Manual Operacional do DICT"). */
import { readMobileNumber } from './phone-number.js';
import { isCnpj, isCpf } from './tax-ids.js';

const randomKey = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const email = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9.-]{3,75}$/;

/** Returns the key as Pix stores it, or undefined when it is none. */
export function readPixKey(text: string): string | undefined {
  const key = text.toLowerCase();
  if (randomKey.test(key) || (key.length <= 77 && email.test(key))) return key;
  if (key.startsWith('+')) return readMobileNumber('BR', key);
  const compact = text.replaceAll(/[ ./-]/g, '').toUpperCase();
  return isCpf(compact) || isCnpj(compact) ? compact : undefined;
}
