import { RateSourceFault } from '../../rates/sources/rate-source.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** All documents that we read are UTF-8; a byte order mark is left out. */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new RateSourceFault('malformed', 'The document is not UTF-8.');
  }
}
