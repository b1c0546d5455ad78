/** The name of one request, in its answer and in the log: the caller's own where it is harmless, else a random one. */
import { randomBytes } from 'node:crypto';

const harmless = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && harmless.test(given) ? given : `req_${randomDigits()}`;
}

const digitsOfOne = 24;
let drawn = '';
let used = 0;

/** Drawn for many at once: a draw for each was a sixth of the whole time of an empty request. */
function randomDigits(): string {
  if (used === drawn.length) {
    drawn = randomBytes(256 * (digitsOfOne / 2)).toString('hex');
    used = 0;
  }
  used += digitsOfOne;
  return drawn.slice(used - digitsOfOne, used);
}
