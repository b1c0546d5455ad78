/** The id of a request in its answer and in the log: the one that the caller sent, if it is safe, or a random one. */
import { freshBytes } from '../../random.js';

const safeId = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && safeId.test(sent) ? sent : `req_${freshBytes(12).toString('hex')}`;
}
