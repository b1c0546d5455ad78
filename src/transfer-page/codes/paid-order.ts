/** What a payment code says: to whom, how much, and for which order. Pure. */
import type { Amount } from '../../money/amount.js';
import type { PayinAccount } from '../../orders/order/order.js';

export interface Payment {
  readonly account: PayinAccount;
  readonly amount: Amount;
  /** By ISO 11649. */
  readonly reference: string;
}

/** Letters without their marks, digits and spaces: the alphabet that every scanner reads. */
export function inPlainLetters(text: string, atMost: number): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return plain
    .replaceAll(/[^A-Za-z0-9 .-]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, atMost)
    .trim();
}
