/** The reference that a payer writes on the transfer: ISO 11649, so that banks and people notice typing errors. Pure. */
import type { OrderId } from './order.js';

/** An RF reference has at most 25 characters: RF, two check digits and these. */
const ownCharacters = 21;

/** Begins with the merchant's number, as the id does. */
export function payinReferenceOf(orderId: OrderId): string {
  const start = orderId.indexOf('_') + 1;
  const body = orderId.slice(start, start + ownCharacters);
  const check = 98n - (numberOf(`${body}RF00`) % 97n);
  return `RF${String(check).padStart(2, '0')}${body}`;
}

/** Letters count from 10: A is 10, Z is 35. */
function numberOf(text: string): bigint {
  return BigInt([...text].map((character) => Number.parseInt(character, 36)).join(''));
}
