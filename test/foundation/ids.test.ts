import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  merchantId,
  merchantOfPublicId,
  newMerchantPublicId,
  newPublicId,
  operatorId,
  publicId,
  publicIdPrefixes,
  userId,
} from '../../src/ids.js';

const idFunctions = [
  ['merchant id', merchantId],
  ['user id', userId],
  ['operator id', operatorId],
] as const;

describe.each(idFunctions)('the function for a %s', (name, read) => {
  it('accepts every positive safe integer, also as the bigint that the database returns', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (number) => {
        expect(read(number)).toBe(number);
        expect(read(BigInt(number))).toBe(number);
      }),
    );
  });

  it('throws a TypeError for everything else', () => {
    const anythingElse = fc
      .oneof(fc.anything({ withBigInt: true, withNullPrototype: true }), fc.double(), fc.bigInt())
      .filter((value) => !isPositiveInteger(value));
    fc.assert(
      fc.property(anythingElse, (value) => {
        expect(() => read(value)).toThrow(TypeError);
      }),
    );
  });

  it.each([0, -0, -1, 1.5, NaN, Infinity, 2 ** 53, '1', '', null, undefined, true, [1], 2n ** 53n, 0n, -1n])(
    'refuses %s',
    (value) => {
      expect(() => read(value)).toThrow(`not a ${name}: ${String(value)}`);
    },
  );
});

function isPositiveInteger(value: unknown): boolean {
  if (typeof value === 'bigint') return value >= 1n && value < 2n ** 53n;
  return typeof value === 'number' && value >= 1 && value < 2 ** 53 && value % 1 === 0;
}

describe('a public id', () => {
  it.each(publicIdPrefixes)('%s_ has 26 unambiguous characters, and is accepted again', (prefix) => {
    for (let round = 0; round < 200; round += 1) {
      const id = newPublicId(prefix);
      expect(id).toMatch(new RegExp(`^${prefix}_[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{26}$`));
      expect(publicId(prefix, id)).toBe(id);
    }
  });

  it('is unique, and uses its whole alphabet', () => {
    const ids = Array.from({ length: 2000 }, () => newPublicId('ord'));
    expect(new Set(ids).size).toBe(2000);
    expect(new Set(ids.join('').replaceAll('ord_', '')).size).toBe(32);
  });

  it('is refused with another prefix', () => {
    expect(publicId('ord', newPublicId('evt'))).toBeUndefined();
    expect(publicId('rt', `rt${newPublicId('rt')}`)).toBeUndefined();
  });

  it.each([
    ['too short', 'ord_0123456789ABCDEFGHJKMNPQR'],
    ['too long', 'ord_0123456789ABCDEFGHJKMNPQRST'],
    ['lower-case letters', 'ord_0123456789abcdefghjkmnpqrs'],
    ['the letter I', 'ord_I123456789ABCDEFGHJKMNPQRS'],
    ['the letter L', 'ord_L123456789ABCDEFGHJKMNPQRS'],
    ['the letter O', 'ord_O123456789ABCDEFGHJKMNPQRS'],
    ['the letter U', 'ord_U123456789ABCDEFGHJKMNPQRS'],
    ['a line feed at its end', 'ord_0123456789ABCDEFGHJKMNPQRS\n'],
    ['no prefix', '0123456789ABCDEFGHJKMNPQRS'],
    ['a number', 7],
    ['undefined', undefined],
  ])('is refused with %s', (_, value) => {
    expect(publicId('ord', value)).toBeUndefined();
  });
});

it('an id with a merchant’s number tells whose it is, and one without tells nothing', () => {
  for (const number of [1, 31, 32, 1_000_000, 32 ** 6 - 1]) {
    const id = newMerchantPublicId('hit', merchantId(number));
    expect(publicId('hit', id)).toBe(id);
    expect(merchantOfPublicId(id)).toBe(number);
  }
  const none = publicId('hit', `hit_${'0'.repeat(26)}`);
  expect(none && merchantOfPublicId(none)).toBeUndefined();
});
