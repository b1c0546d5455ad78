/**
 * What triggers which outcome in the sandbox. The page docs/sandbox-values.md and `GET /sandbox/test-values` show it.
 * Data.
 */
/** A value to send, and what happens then. */
export interface TestValue {
  readonly value: string;
  readonly outcome: string;
}

export interface ValueGroup {
  readonly title: string;
  readonly field: string;
  readonly values: readonly TestValue[];
}

/** The rail `sandbox` decides by the last name of the beneficiary, in every country and by every method. */
const lastNames: ValueGroup = {
  title: 'Payouts',
  field: '`lastName` of the beneficiary (or `companyName`)',
  values: [
    row('Paid', 'paid at once, as with any other name: `COMPLETED`'),
    row('Invalid', 'rejected at once, `AC01`: `PAYOUT_FAILED`, `beneficiary_account_invalid`'),
    row('Closed', 'rejected a second later, `AC04`: `PAYOUT_FAILED`, `beneficiary_account_closed`'),
    row('Mismatch', 'rejected at once, `BE01`: `PAYOUT_FAILED`, `beneficiary_name_mismatch`'),
    row('Returned', 'paid at once, returned an hour later with a charge of 1.00: `COMPLETED`, then `RETURNED`'),
    row('Late', 'paid two days later: `PAYOUT_SUBMITTED`, then `COMPLETED`'),
    row('Never', 'accepted, and then nothing: stays `PAYOUT_SUBMITTED`'),
    row('Twice', 'paid, and every report comes twice: `COMPLETED`, once'),
    row('Unknown', 'the rail cannot tell for a minute, then paid: `PAYOUT_SUBMITTED`, then `COMPLETED`'),
    row('Lost', 'the first submission gets lost, the second is paid: `COMPLETED`, once'),
  ],
};

/** With the policies of a new merchant: `GET /merchant/policies`. */
const payments: ValueGroup = {
  title: 'Payments',
  field:
    'the body of `POST /sandbox/payments`, for an order of 100 EUR with the policies of a new merchant (`GET /merchant/policies`)',
  values: [
    row('{"orderId": "ord_…"}', 'exactly what is missing: `PAYMENT_RECEIVED`'),
    row('{"orderId": "ord_…", "payerName": "Wilhelmina Oakenshaw"}', 'another name than the user: `IN_REVIEW`'),
    row('{"orderId": "ord_…", "amount": 40}', 'less: the order waits for the other 60 (`amountMissing`)'),
    row('{"orderId": "ord_…", "amount": 140}', 'more: `PAYMENT_RECEIVED`, and 40 in suspense as `over`'),
    row(
      '{"orderId": "ord_…", "bookedAt": "2026-12-24T09:00:00Z"}',
      'late, when that is after `rateGuaranteedUntil` and at most 5 days ahead: `PAYMENT_RECEIVED` at the rate of the day (`requotes`)',
    ),
    row(
      '{"orderId": "ord_…", "amount": 40, "bookedAt": "2026-12-24T09:00:00Z"}',
      'late, and less arrives: `ACTION_REQUIRED`, until the sender accepts the `requote` or refuses it',
    ),
    row(
      '{"orderId": "ord_…", "amount": 1, "bookedAt": "2026-12-24T09:00:00Z"}',
      'late, and too little for the corridor: in suspense as `amount_out_of_range`',
    ),
    row('{"orderId": "ord_…"}', 'sent again when the order is paid: in suspense as `duplicate`'),
    row('{"orderId": "ord_…"}', 'after a cancellation: in suspense as `order_cancelled`'),
    row('{"orderId": "ord_…", "amount": 100, "currency": "USD"}', 'in suspense as `wrong_currency`'),
    row(
      '{"reference": "For the family", "amount": 100, "currency": "EUR"}',
      'no reference: in suspense as `no_reference`',
    ),
    row(
      '{"reference": "RF…", "amount": 100, "currency": "EUR"}',
      'with one character of `payIn.reference` changed: in suspense as `mistyped_reference`, with the order suggested to the operator',
    ),
  ],
};

const amounts: ValueGroup = {
  title: 'Amounts',
  field: '`amountIn` of `POST /rates`, with the corridors of a new instance',
  values: [
    row('100', 'LEVEL_1 is enough'),
    row('201', 'more than LEVEL_1 allows: the order is refused with `kyc_level_required`'),
    row('1', 'below the corridor: 422 `amount_out_of_range`'),
    row('26000', 'above the corridor: 422 `amount_out_of_range`'),
  ],
};

const listedNames: ValueGroup = {
  title: 'Screening',
  field: 'first and last name of a user or a beneficiary',
  values: [
    row('Iris Blockwell, born 1970-01-31', 'a strong match: the KYC case or the order is reviewed'),
    row('Otto Sperrmann', 'a match: the KYC case or the order is reviewed'),
    row('Petra Ministress', 'politically exposed: the KYC case is reviewed, and no money is stopped'),
    row('Forbidden Freight Trading Ltd (company)', 'a match: the order is reviewed'),
  ],
};

export const valueGroups: readonly ValueGroup[] = [lastNames, payments, amounts, listedNames];

function row(value: string, outcome: string): TestValue {
  return { value, outcome };
}
