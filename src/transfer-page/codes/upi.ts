/** The address that payment apps in India open, as a link and as a code: the UPI linking specification. Pure. */
import { amountToText } from '../../money/literal.js';
import { inPlainLetters, type Payment } from './paid-order.js';

export function upiText({ account, amount, reference }: Payment): string | undefined {
  const { upiId } = account.details;
  if (amount.currency !== 'INR' || upiId === undefined) return undefined;
  const fields = {
    pa: upiId,
    pn: inPlainLetters(account.holder, 50),
    am: amountToText(amount),
    cu: 'INR',
    tr: reference,
    tn: reference,
  };
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?${query.join('&')}`;
}
