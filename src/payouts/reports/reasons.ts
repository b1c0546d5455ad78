/** What merchants and users are told for the reason that a rail gave. Pure data. */
import type { StatusReason } from '../../orders/order.js';
import type { Direction } from '../attempt.js';
import type { ReportKind } from '../rail.js';

/** Codes of the external code set "status reason" of ISO 20022. Rails without codes of their own use them too. */
const publicReasons: Readonly<Record<string, StatusReason>> = {
  AC01: 'beneficiary_account_invalid',
  AC02: 'beneficiary_account_invalid',
  AC03: 'beneficiary_account_invalid',
  AC12: 'beneficiary_account_invalid',
  AC13: 'beneficiary_account_invalid',
  AC14: 'beneficiary_account_invalid',
  RC01: 'beneficiary_account_invalid',
  RC04: 'beneficiary_account_invalid',
  AC04: 'beneficiary_account_closed',
  AC05: 'beneficiary_account_closed',
  AC07: 'beneficiary_account_closed',
  BE01: 'beneficiary_name_mismatch',
  BE22: 'beneficiary_name_mismatch',
  RR03: 'beneficiary_name_mismatch',
};

/** Where the code says nothing that a merchant may act on, or may know: compliance, cover, duplicates. */
const otherReasons: Readonly<Partial<Record<ReportKind, StatusReason>>> = {
  rejected: 'payout_rejected',
  returned: 'payout_returned',
  recalled: 'payout_recalled',
};

export function statusReasonOf(
  direction: Direction,
  kind: ReportKind,
  code: string | undefined,
): StatusReason {
  if (direction === 'refund') return 'refund_rejected';
  const known = kind === 'recalled' || code === undefined ? undefined : publicReasons[code];
  return known ?? otherReasons[kind] ?? 'payout_rejected';
}
