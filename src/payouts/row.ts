/** A row of `payout_attempts` as an attempt. */
import { merchantId, storedPublicId, tenantId, userId } from '../ids.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import type { Attempt, Direction } from './attempt.js';
import type { AttemptState } from './transitions.js';

export interface AttemptRow {
  merchant_id: bigint;
  attempt_id: string;
  order_id: string | null;
  user_id: bigint | null;
  refund_id: string | null;
  suspense_id: string | null;
  bank: string | null;
  direction: Direction;
  number: number;
  reference: string;
  rail: string;
  currency: CurrencyCode;
  amount_minor: bigint;
  payout_country: string | null;
  payout_method: string;
  payout_account: string | null;
  state: AttemptState;
  message_id: string | null;
  message_at: Date | null;
  asked: number;
  version: number;
  created_at: Date;
  changed_at: Date;
}

export const attemptColumns = `merchant_id, attempt_id, order_id, user_id, refund_id, suspense_id, bank, direction, number,
  reference, rail, currency, amount_minor, payout_country, payout_method, payout_account, state, message_id, message_at, asked, version, created_at,
  changed_at`;

/**
 * The constraints of the table allow an order with its user and country, or a suspense record with its bank account.
 */
export function toAttempt(row: AttemptRow): Attempt {
  const fields = fieldsOf(row);
  const { order_id: orderId, user_id: user, payout_country: country, suspense_id: suspenseId } = row;
  if (orderId !== null && user !== null && country !== null) {
    const owner = { merchantId: merchantId(row.merchant_id), userId: userId(user) };
    const refundId = row.refund_id === null ? undefined : storedPublicId('rfd', row.refund_id);
    return { ...fields, ...owner, country, refundId, orderId: storedPublicId('ord', orderId) };
  }
  return { ...fields, suspenseId: storedPublicId('sus', suspenseId), bank: row.bank ?? '' };
}

function fieldsOf(row: AttemptRow) {
  return {
    merchantId: tenantId(row.merchant_id),
    attemptId: storedPublicId('att', row.attempt_id),
    direction: row.direction,
    number: row.number,
    reference: row.reference,
    rail: row.rail,
    amount: amount(row.currency, row.amount_minor),
    country: row.payout_country ?? undefined,
    method: row.payout_method,
    account: row.payout_account ?? undefined,
    state: row.state,
    message:
      row.message_id !== null && row.message_at ? { messageId: row.message_id, createdAt: row.message_at } : undefined,
    asked: row.asked,
    version: row.version,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
