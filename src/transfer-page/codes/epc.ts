/** The code of the European Payments Council for credit transfers in euro (EPC069-12, version 002). Pure. */
import { amountToText } from '../../money/literal.js';
import type { Payment } from './paid-order.js';

/** A structured reference leaves no room for a text; empty lines at the end are left out. */
export function epcText({ account, amount, reference }: Payment): string | undefined {
  const { iban } = account.details;
  if (amount.currency !== 'EUR' || iban === undefined) return undefined;
  const holder = [...account.holder].slice(0, 70).join('');
  return ['BCD', '002', '1', 'SCT', '', holder, iban, `EUR${amountToText(amount)}`, '', reference].join('\n');
}
