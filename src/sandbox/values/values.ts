/** What triggers which outcome in the sandbox. The page docs/sandbox-values.md and `GET /sandbox/test-values` show it. Data. */
/** A value to send, and what happens then. */
export interface TestValue {
  readonly value: string;
  readonly outcome: string;
}

export interface ValueGroup {
  readonly title: string;
  /** Which field of which request. */
  readonly field: string;
  readonly values: readonly TestValue[];
}

/** The rail `sandbox` decides by the last name of the beneficiary, in every country and by every method. */
const lastNames: ValueGroup = {
  title: 'Payouts',
  field: '`lastName` of the beneficiary (or `companyName`)',
  values: [
    row('any other', 'paid at once: `COMPLETED`'),
    row('Invalid', 'rejected at once, `AC01`: `PAYOUT_FAILED`, `beneficiary_account_invalid`'),
    row('Closed', 'rejected a second later, `AC04`: `PAYOUT_FAILED`, `beneficiary_account_closed`'),
    row('Mismatch', 'rejected at once, `BE01`: `PAYOUT_FAILED`, `beneficiary_name_mismatch`'),
    row(
      'Returned',
      'paid at once, returned an hour later with a charge of 1.00: `COMPLETED`, then `RETURNED`',
    ),
    row('Late', 'paid two days later: `PAYOUT_SUBMITTED`, then `COMPLETED`'),
    row('Never', 'accepted, and then nothing: stays `PAYOUT_SUBMITTED`'),
    row('Twice', 'paid, and every report comes twice: `COMPLETED`, once'),
    row('Unknown', 'the rail cannot tell for a minute, then paid: `PAYOUT_SUBMITTED`, then `COMPLETED`'),
    row('Lost', 'the first submission gets lost, the second is paid: `COMPLETED`, once'),
  ],
};

const payments: ValueGroup = {
  title: 'Payments',
  field: 'the body of `POST /sandbox/payments`',
  values: [
    row('{"orderId": "ord_…"}', 'exactly what the order needs: `PAYMENT_RECEIVED`'),
    row(
      '{"orderId": "ord_…", "payerName": "Wilhelmina Oakenshaw"}',
      'another name than the user: `IN_REVIEW`',
    ),
    row('{"orderId": "ord_…", "amount": 40}', 'less than the order needs'),
    row('{"orderId": "ord_…", "amount": 140}', 'more than the order needs'),
    row(
      '{"orderId": "ord_…", "bookedAt": "2026-12-24T09:00:00Z"}',
      'late, when that is after `rateGuaranteedUntil`',
    ),
    row(
      '{"reference": "For the family", "amount": 100, "currency": "EUR"}',
      'no reference: money in suspense',
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
    row('Forbidden Freight Trading Ltd (company)', 'a match: the order is reviewed'),
  ],
};

export const valueGroups: readonly ValueGroup[] = [lastNames, payments, amounts, listedNames];

function row(value: string, outcome: string): TestValue {
  return { value, outcome };
}
