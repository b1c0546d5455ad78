/**
 * The reference that a payer writes on the transfer: ISO 11649, so that banks and people notice typing errors. Pure.
 */
import { type MerchantId, merchantOfDigits } from '../../ids.js';
import type { OrderId } from '../order/order.js';

/** An RF reference has at most 25 characters: RF, two check digits and these. */
const ownCharacters = 21;
const beforeMerchant = 4;
const merchantCharacters = 6;

export const payinReferenceLength = beforeMerchant + ownCharacters;

/** Begins with the merchant's number, as the id does. */
export function payinReferenceOf(orderId: OrderId): string {
  const start = orderId.indexOf('_') + 1;
  const body = orderId.slice(start, start + ownCharacters);
  const check = 98 - remainderOf(`${body}RF00`);
  return `RF${String(check).padStart(2, '0')}${body}`;
}

/** Whether the check digits match. The text has letters and digits only, the letters in upper case. */
export function hasCheckDigits(reference: string): boolean {
  return remainderOf(reference.slice(beforeMerchant) + reference.slice(0, beforeMerchant)) === 1;
}

/** Undefined when the reference carries no merchant's number. */
export function merchantOfReference(reference: string): MerchantId | undefined {
  return merchantOfDigits(reference.slice(beforeMerchant, beforeMerchant + merchantCharacters));
}

/** Of the number that the text stands for, divided by 97. Letters count from 10: A is 10, Z is 35. */
function remainderOf(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder;
}
