/**
 * Random bytes, drawn from the system in larger amounts: a few take as long as thousands. No byte is given out twice.
 */
import { randomBytes } from 'node:crypto';

const drawnAtOnce = 4096;
let drawn = Buffer.alloc(0);
let used = 0;

/** Like `randomBytes` of Node. There is no second copy of the bytes: wiping the result wipes a key. */
export function freshBytes(count: number): Buffer {
  if (count > drawnAtOnce) return randomBytes(count);
  if (used + count > drawn.length) {
    drawn = randomBytes(drawnAtOnce);
    used = 0;
  }
  used += count;
  return drawn.subarray(used - count, used);
}
