import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshBytes } from '../../src/random.js';

const amounts = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 20 });

describe('fresh random bytes', () => {
  it('are as many as asked for, and never a part of what was given out before', () => {
    const pieces = new Set<string>();
    let repeated = 0;
    fc.assert(
      fc.property(amounts, (counts) => {
        for (const count of counts) {
          const bytes = freshBytes(count);
          expect(bytes.length).toBe(count);
          for (let at = 0; at + 12 <= count; at += 12) {
            const piece = bytes.toString('latin1', at, at + 12);
            if (pieces.has(piece)) repeated += 1;
            pieces.add(piece);
          }
        }
        expect(repeated).toBe(0);
      }),
    );
  });

  it('do not change when others are drawn, nor by what their owner does to others', () => {
    const first = freshBytes(32);
    const copy = Buffer.from(first);
    for (let draw = 0; draw < 300; draw += 1) freshBytes(32).fill(0);
    expect(first).toEqual(copy);
    expect(freshBytes(32).equals(Buffer.alloc(32))).toBe(false);
  });
});
