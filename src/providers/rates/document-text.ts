import { RateSourceFault } from '../../rates/sources/rate-source.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 and drops a byte order mark. Throws `RateSourceFault` (`malformed`) when the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new RateSourceFault('malformed', 'The document is not UTF-8.');
  }
}
