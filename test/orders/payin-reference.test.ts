/** The reference of a payment: ISO 11649. */
import { expect, it } from 'vitest';
import { merchantId, newMerchantPublicId } from '../../src/ids.js';
import type { OrderId } from '../../src/orders/order/order.js';
import { orderExample } from '../../src/orders/order/wire/order-shape.js';
import { payinReferenceOf } from '../../src/orders/payin/payin-reference.js';

/** By ISO 7064: letters are numbers from 10 on, the first four characters go to the end, and the rest by 97 is 1. */
function isValid(reference: string): boolean {
  let rest = 0;
  for (const character of `${reference.slice(4)}${reference.slice(0, 4)}`) {
    const value = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(character);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}

it('the published example of the standard is valid by the check of this test', () => {
  expect([isValid('RF18539007547034'), isValid('RF18539007547035')]).toEqual([true, false]);
});

it('has valid check digits, 25 characters, and begins with the number of the merchant', () => {
  for (let round = 0; round < 500; round += 1) {
    const reference = payinReferenceOf(newMerchantPublicId('ord', merchantId(7)));
    expect(reference).toMatch(/^RF\d\d000007[0-9A-Z]{15}$/);
    expect(isValid(reference)).toBe(true);
  }
});

it('is invalid after a wrong digit or letter, and after two neighbouring digits or letters changed places', () => {
  const reference = payinReferenceOf(newMerchantPublicId('ord', merchantId(7)));
  const isDigit = (character: string) => character <= '9';
  for (let place = 4; place < reference.length; place += 1) {
    const here = reference[place] as string;
    const wrong = isDigit(here) ? String((Number(here) + 1) % 10) : here === 'A' ? 'B' : 'A';
    expect(isValid(reference.slice(0, place) + wrong + reference.slice(place + 1))).toBe(false);
    const next = reference[place + 1];
    if (next === undefined || next === here || isDigit(next) !== isDigit(here)) continue;
    expect(isValid(`${reference.slice(0, place)}${next}${here}${reference.slice(place + 2)}`)).toBe(false);
  }
});

it('the reference in the example of the API reference is the right one', () => {
  expect(orderExample.payIn.reference).toBe(payinReferenceOf(orderExample.id as OrderId));
});
