/** The id of a request in its answer and in the log: the one that the caller sent, if it is safe, or a random one. */
import { freshBytes } from '../../random.js';

const safeId = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && safeId.test(sent) ? sent : `req_${randomDigits()}`;
}

const idDigits = 24;
let drawn = '';
let used = 0;

/** Encodes the digits of 128 ids at once: each by itself takes five times as long. */
function randomDigits(): string {
  if (used === drawn.length) {
    drawn = freshBytes(128 * (idDigits / 2)).toString('hex');
    used = 0;
  }
  used += idDigits;
  return drawn.slice(used - idDigits, used);
}
