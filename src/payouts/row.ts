/** A row of `payout_attempts` as an attempt. */
import { merchantId, storedPublicId, userId } from '../ids.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import type { Attempt, Direction } from './attempt.js';
import type { AttemptState } from './transitions.js';

export interface AttemptRow {
  merchant_id: bigint;
  attempt_id: string;
  order_id: string;
  user_id: bigint;
  direction: Direction;
  number: number;
  reference: string;
  rail: string;
  currency: CurrencyCode;
  amount_minor: bigint;
  payout_country: string;
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

export const attemptColumns = `merchant_id, attempt_id, order_id, user_id, direction, number, reference, rail, currency,
  amount_minor, payout_country, payout_method, payout_account, state, message_id, message_at, asked, version, created_at,
  changed_at`;

export function toAttempt(row: AttemptRow): Attempt {
  return {
    merchantId: merchantId(row.merchant_id),
    attemptId: storedPublicId('att', row.attempt_id),
    orderId: storedPublicId('ord', row.order_id),
    userId: userId(row.user_id),
    direction: row.direction,
    number: row.number,
    reference: row.reference,
    rail: row.rail,
    amount: amount(row.currency, row.amount_minor),
    country: row.payout_country,
    method: row.payout_method,
    account: row.payout_account ?? undefined,
    state: row.state,
    message:
      row.message_id !== null && row.message_at
        ? { messageId: row.message_id, createdAt: row.message_at }
        : undefined,
    asked: row.asked,
    version: row.version,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
