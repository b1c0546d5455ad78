/** Who must act on money that came for no order, and on lines of a statement that are not in the books. Data only. */
import type { Obligation } from '../../tasks/obligation.js';
import type { SuspenseState } from '../suspense/transitions.js';

const unknownOwner =
  'Directive (EU) 2015/2366 art. 10 and 88: safeguarded, and given back to whoever paid it by mistake';
const books = 'Directive (EU) 2015/2366 art. 10: the books agree with the bank accounts on each business day';

const blocking = '31 CFR 501.603: reported within 10 business days; Regulation (EU) No 269/2014 art. 2 and 8';

export const paymentObligations: readonly (Obligation & {
  readonly state: SuspenseState | 'fault' | 'unexplained' | 'differs';
})[] = [
  {
    record: 'suspense',
    state: 'OPEN',
    account: 'suspense',
    nextActor: 'operator',
    action: 'finds the order that it is for, or pays it back',
    due: 'three days after it came',
    afterwards: 'An admin decides, also whether it is written off.',
    task: 'suspense',
    legalBasis: unknownOwner,
  },
  {
    record: 'suspense',
    state: 'REFUND_PENDING',
    account: 'refund',
    nextActor: 'bank',
    action: 'pays the payer back',
    due: 'three days after it was decided',
    afterwards: 'An operator finds out what became of the payment.',
    task: 'payout_unknown',
    legalBasis: unknownOwner,
  },
  {
    record: 'suspense',
    state: 'REFUND_FAILED',
    account: 'refund',
    nextActor: 'operator',
    action: 'finds out where to pay it back',
    due: 'three days after it came',
    afterwards: 'An admin decides.',
    task: 'suspense',
    legalBasis: unknownOwner,
  },
  {
    record: 'suspense',
    state: 'FROZEN',
    account: 'frozen',
    nextActor: 'operator',
    action: 'reports the blocked money to the authority, and releases it when that is allowed',
    due: 'ten days after the freeze',
    afterwards: 'An admin answers for the report. The money does not move.',
    task: 'suspense',
    legalBasis: blocking,
    isConfidential: true,
  },
  {
    record: 'import_line',
    state: 'fault',
    account: 'bank',
    nextActor: 'operator',
    action: 'records the line by hand, or imports it again without the fault',
    due: 'one day after the import',
    afterwards: 'The balance of the bank account differs from the ledger.',
    task: 'import_fault',
    legalBasis: books,
  },
  {
    record: 'bank_line',
    state: 'unexplained',
    account: 'bank',
    nextActor: 'operator',
    action: 'finds out what the line of the bank is, in or out, and books it',
    due: 'three days after the bank booked it',
    afterwards: 'An admin decides. The statement of the day differs from the ledger.',
    task: 'bank_break',
    legalBasis: books,
  },
  {
    record: 'bank_statement',
    state: 'differs',
    account: 'bank',
    nextActor: 'operator',
    action: 'finds the lines that are missing from the books, or from the statement',
    due: 'one day after the statement',
    afterwards: 'An admin answers for the difference.',
    task: 'bank_day',
    legalBasis: books,
  },
];
