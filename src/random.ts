/** Random bytes, drawn from the system in larger amounts: a few take as long as thousands. No byte is given out twice. */
import { randomBytes, randomFillSync } from 'node:crypto';

const drawn = Buffer.alloc(4096);
let used = drawn.length;

/** Like `randomBytes` of Node. Keeps no copy of the bytes, because they may be a key. */
export function freshBytes(count: number): Buffer {
  if (count > drawn.length) return randomBytes(count);
  if (used + count > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const bytes = Buffer.from(drawn.subarray(used, used + count));
  drawn.fill(0, used, used + count);
  used += count;
  return bytes;
}
