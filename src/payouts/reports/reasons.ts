/**
 * What the reason that a rail gave means: what merchants and users are told, and what an operator does next. Pure data.
 * An unknown code gets a general public reason; operators see the code itself in any case.
 */
import type { StatusReason } from '../../orders/order/order.js';
import type { Direction } from '../attempt.js';
import type { ReportKind } from '../rail.js';

/**
 * `correct_beneficiary`: ask the sender to correct the details. `retry`: nothing is wrong with the payment itself.
 * `examine`: the bank thinks that it has the payment already. `ask_compliance`: say nothing to anybody before.
 * `refund`: no correction helps.
 */
export const advices = ['correct_beneficiary', 'retry', 'examine', 'ask_compliance', 'refund'] as const;
export type Advice = (typeof advices)[number];

interface Meaning {
  /** Undefined where a merchant may not know it, or cannot act on it. */
  readonly told?: StatusReason;
  readonly advice: Advice;
}

const invalidAccount: Meaning = { told: 'beneficiary_account_invalid', advice: 'correct_beneficiary' };
const closedAccount: Meaning = { told: 'beneficiary_account_closed', advice: 'correct_beneficiary' };
const wrongName: Meaning = { told: 'beneficiary_name_mismatch', advice: 'correct_beneficiary' };
const wrongBank: Meaning = { told: 'beneficiary_bank_invalid', advice: 'correct_beneficiary' };
const incomplete: Meaning = { told: 'beneficiary_details_incomplete', advice: 'correct_beneficiary' };
const refusedByBeneficiary: Meaning = { told: 'beneficiary_refused', advice: 'refund' };
const notPossible: Meaning = { told: 'payout_not_possible', advice: 'refund' };
const retry: Meaning = { advice: 'retry' };
const examine: Meaning = { advice: 'examine' };
const compliance: Meaning = { advice: 'ask_compliance' };

/**
 * Codes of the external code sets "status reason" and "return reason" of ISO 20022. Rails without codes use them too.
 */
const meanings: Readonly<Record<string, Meaning>> = {
  ...of(invalidAccount, 'AC01', 'AC02', 'AC03', 'AC12', 'AC13', 'AC14', 'AC16', 'BE23', 'CH20', 'ED01'),
  ...of(closedAccount, 'AC04', 'AC05', 'AC06', 'AC07', 'AC15', 'AG08', 'MD07'),
  ...of(wrongName, 'BE01', 'BE21', 'BE22', 'RVNM', 'RVCM'),
  ...of(wrongBank, 'RC01', 'RC04', 'RC05', 'RC07', 'RC08', 'RC09', 'RC10', 'RC11', 'AGNT', 'CNOR', 'DNOR'),
  ...of(incomplete, 'BE04', 'BE05', 'BE06', 'BE07', 'BE08', 'BE09', 'BE10', 'BE11', 'BE14', 'BE15', 'BE16'),
  ...of(incomplete, 'BE17', 'BE19', 'RR02', 'RR03', 'RR05', 'RR07', 'RR08', 'RR11', 'RR12', 'FF10'),
  ...of(refusedByBeneficiary, 'CUST', 'FOCR', 'MS02', 'NOAS', 'UPAY', 'CUTA', 'RUTA'),
  ...of(notPossible, 'AC09', 'AC10', 'AC11', 'AG02', 'AG03', 'AM02', 'AM03', 'AM06', 'AM13', 'AM14', 'AM21'),
  ...of(notPossible, 'CURR', 'ED05', 'NOCM', 'SVNR'),
  ...of(retry, 'AB01', 'AB02', 'AB03', 'AB04', 'AB05', 'AB06', 'AB07', 'AB08', 'AB09', 'AB10', 'AM04', 'AM09'),
  ...of(retry, 'AM10', 'AM11', 'AM12', 'DT01', 'DT02', 'DT04', 'ED06', 'FF01', 'FF05', 'G004', 'NERI', 'TECH'),
  ...of(retry, 'TM01', 'TS01', 'TS04'),
  ...of(examine, 'AM01', 'AM05', 'AM07', 'AM16', 'AM17', 'AM18', 'AM19', 'AM20', 'DUPL'),
  ...of(examine, 'DU01', 'DU02', 'DU03', 'DU04', 'DU05'),
  ...of(compliance, 'AG01', 'AM08', 'FRAD', 'FR01', 'LEGL', 'MS01', 'MS03', 'RR01', 'RR04', 'RR09', 'RR10'),
};

/** Where the code says nothing that a merchant may act on, or may know: compliance, cover, duplicates. */
const otherReasons: Readonly<Partial<Record<ReportKind, StatusReason>>> = {
  rejected: 'payout_rejected',
  returned: 'payout_returned',
  recalled: 'payout_recalled',
};

export function statusReasonOf(direction: Direction, kind: ReportKind, code: string | undefined): StatusReason {
  if (direction === 'refund') return 'refund_rejected';
  const told = kind === 'recalled' ? undefined : meaningOf(code)?.told;
  return told ?? otherReasons[kind] ?? 'payout_rejected';
}

/** Undefined without a code, and for a code that we do not know. */
export function adviceFor(code: string | undefined): Advice | undefined {
  return meaningOf(code)?.advice;
}

function meaningOf(code: string | undefined): Meaning | undefined {
  return code !== undefined && Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}

function of(meaning: Meaning, ...codes: readonly string[]): Record<string, Meaning> {
  return Object.fromEntries(codes.map((code) => [code, meaning]));
}
