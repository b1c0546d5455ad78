/** Forms that are a part of a command. */
import type { Target, Variant } from './screen.js';

/** Each decision about a KYC case has a form of its own. */
export const kycDecisions: readonly Variant[] = [
  {
    name: 'approve',
    act: 'Approve',
    hint: 'The user holds the level from now on. If a check failed, write why you approve all the same.',
    fixed: { decision: 'approve' },
    fields: ['internalReason'],
    optional: ['internalReason'],
  },
  {
    name: 'reject',
    act: 'Reject',
    hint: 'The user reads the public reason, and may begin again unless the rejection is final.',
    fixed: { decision: 'reject' },
    fields: ['publicReason', 'internalReason', 'final'],
    optional: ['final'],
  },
  {
    name: 'revoke',
    act: 'Revoke the approval',
    hint: 'The user loses the level at once, and reads the public reason.',
    fixed: { decision: 'revoke' },
    fields: ['publicReason', 'internalReason'],
  },
  {
    name: 'request',
    act: 'Ask the user again',
    hint: 'The user reads the public reasons, and sends only the chosen parts again.',
    fixed: { decision: 'request' },
    fields: ['parts', 'publicReasons', 'internalReason'],
    narrowed: { parts: 'parts' },
  },
];

export const noteOnPerson: Variant = {
  name: 'note',
  act: 'Write the note',
  hint: 'Stored encrypted. Only operators see it.',
  fixed: {},
  taken: { merchant: 'merchant' },
  fields: ['note'],
};

const waitingForDebit = { operationId: 'listPayouts', query: { waitsFor: 'debit' } } as const;

/** What an operator saw at the bank. After an outcome, the next payment opens whose debit is not recorded yet. */
export const payoutRecordings: readonly Target[] = [
  {
    operationId: 'recordPayoutSubmitted',
    params: { attemptId: 'attemptId' },
    staysHere: true,
    variant: {
      name: 'submitted',
      act: 'I instruct the bank now',
      hint: 'Press it first, then make the payment at the bank: nobody else can press it afterwards, so it is made once.',
      fixed: {},
      fields: [],
    },
  },
  {
    operationId: 'recordPayoutPaid',
    params: { attemptId: 'attemptId' },
    next: waitingForDebit,
    variant: {
      name: 'paid',
      act: 'The bank paid it',
      hint: 'Enter the line of the bank statement.',
      fixed: {},
      fields: ['bankReference', 'bookedAt', 'bank', 'charge'],
      optional: ['charge'],
    },
  },
  {
    operationId: 'recordPayoutFailed',
    params: { attemptId: 'attemptId' },
    next: waitingForDebit,
    variant: {
      name: 'failed',
      act: 'The bank refused it',
      hint: 'Only with the word of the bank: no money left, and none will.',
      fixed: {},
      fields: ['bankReference', 'bookedAt', 'bank', 'charge', 'reason'],
      optional: ['bank', 'charge', 'reason'],
    },
  },
  {
    operationId: 'recordPayoutReturned',
    params: { attemptId: 'attemptId' },
    next: waitingForDebit,
    variant: {
      name: 'returned',
      act: 'The money came back',
      hint: 'Enter the line by which it came back.',
      fixed: {},
      fields: ['bankReference', 'bookedAt', 'bank', 'charge', 'reason'],
      optional: ['charge', 'reason'],
    },
  },
];

const moved = ['merchant', 'bank', 'currency', 'amount'] as const;

/** What treasury enters by hand. */
export const treasuryKinds: readonly Variant[] = [
  {
    name: 'in',
    act: 'Own money came in',
    hint: 'Own money arrived on a bank account of ours, to fund payouts.',
    fixed: { kind: 'funding', direction: 'in' },
    fields: [...moved, 'bankReference', 'reason'],
    optional: ['merchant', 'bankReference'],
  },
  {
    name: 'out',
    act: 'Own money went out',
    hint: 'Own money left a bank account of ours, such as fees that were earned.',
    fixed: { kind: 'funding', direction: 'out' },
    fields: [...moved, 'bankReference', 'reason'],
    optional: ['merchant', 'bankReference'],
  },
  {
    name: 'fee',
    act: 'A bank took a fee',
    hint: 'A charge on a statement that belongs to no payment.',
    fixed: { kind: 'bank_fee' },
    fields: [...moved, 'bankReference', 'reason'],
    optional: ['merchant', 'bankReference'],
  },
  {
    name: 'trade',
    act: 'Currency was bought',
    hint: 'The first account, currency and amount are what was sold.',
    fixed: { kind: 'cover_trade' },
    fields: [...moved, 'bought', 'closes', 'reason'],
    optional: ['merchant', 'closes'],
  },
  {
    name: 'reversal',
    act: 'Undo an entry',
    hint: 'Books the same journal with its sides changed.',
    fixed: { kind: 'correction' },
    fields: ['merchant', 'reverses', 'reason'],
    optional: ['merchant'],
  },
  {
    name: 'correction',
    act: 'Another correction',
    hint: 'Write the postings as JSON: they must balance in each currency.',
    fixed: { kind: 'correction' },
    fields: ['merchant', 'postings', 'reason'],
    optional: ['merchant'],
  },
];

const ofMerchant = { fixed: {}, taken: { merchant: 'merchant' } } as const;

/** What there is to play with. */
export const sandboxTools: readonly Target[] = [
  ...(
    [
      ['day', 1, 'One day later'],
      ['week', 7, 'One week later'],
      ['month', 30, '30 days later'],
    ] as const
  ).map(([name, days, act]) => ({
    operationId: 'moveMerchantClock',
    params: {},
    variant: {
      ...ofMerchant,
      name,
      act,
      hint: 'What falls due on the way happens, in order. The clock never goes back.',
      fixed: { days: String(days) },
      fields: [],
    },
  })),
  {
    operationId: 'playScenarioForMerchant',
    params: {},
    variant: {
      ...ofMerchant,
      name: 'play',
      act: 'Play a scenario',
      hint: 'A user, a KYC case, an order, money and notifications: all of it as in earnest.',
      fields: ['name'],
    },
  },
  {
    operationId: 'injectFaultForMerchant',
    params: {},
    variant: {
      ...ofMerchant,
      name: 'fault',
      act: 'Inject a fault',
      hint: 'The next notifications of the channel come twice, late, out of order, or not at all.',
      fields: ['channel', 'fault', 'count'],
    },
  },
];
