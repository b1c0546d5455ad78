/** Whether a payment that was recorded wrongly can be voided, and what of it is where. Pure. */
import { type Amount, add, amount, compare, isZero } from '../../money/amount.js';
import type { PaymentLocation } from '../shares/payment-location.js';
import type { ReversalKind } from './reversal-store.js';

/** Undefined when it can be: all of its money is with one order, in suspense, or in both. */
export function obstacleToVoid(
  { payment, shares, record }: PaymentLocation,
  reversals: readonly ReversalKind[],
): string | undefined {
  if (payment.voidedAt || reversals.includes('void')) return 'It was voided before.';
  if (reversals.includes('clawback')) return 'The bank of the payer took it back, so it did arrive.';
  if (shares.length > 1) return 'Several orders have parts of it. Take it off them first.';
  const isElsewhere = record !== undefined && isZero(record.remaining) && record.state !== 'MATCHED';
  if (isElsewhere) return 'A part of it has gone elsewhere: it was paid back, written off or taken back.';
  if (record && !isZero(record.remaining) && record.state !== 'OPEN')
    return `A part of it is in suspense and ${record.state}. Wait until that has ended.`;
  if (compare(sumOf({ payment, shares, record }), payment.amount) !== 0)
    return 'The merchant of its order has yet to take it over. Try again in a moment.';
  return undefined;
}

type Located = Pick<PaymentLocation, 'payment' | 'shares' | 'record'>;

function sumOf({ payment, shares, record }: Located): Amount {
  const nothing = amount(payment.amount.currency, 0n);
  return shares.reduce((sum, share) => add(sum, share.amount), record?.remaining ?? nothing);
}
