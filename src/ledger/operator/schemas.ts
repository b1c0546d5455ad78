/**
 * The shapes of the ledger in the operator API. Amounts are decimals in text, because a sum may have more than 15
 * digits.
 */

import Type from 'typebox';
import { pageLimit, pageStart, textOrNull, time, timeOrNull } from '../../http/shapes.js';
import { accountKinds } from '../account.js';
import { entryKinds } from './entry-kinds.js';

const decimalText = (description: string) => Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description });
const positiveText = (description: string) => Type.String({ pattern: '^[0-9]{1,16}(\\.[0-9]{1,4})?$', description });
const currency = (description: string) => Type.String({ pattern: '^[A-Z]{3}$', description });
const bank = (description: string) => Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$', description });
const reference = (description: string) => Type.String({ pattern: '^[a-z]{2,4}_[0-9A-Za-z-]{1,60}$', description });
const accountName = (description: string) => Type.String({ minLength: 5, maxLength: 100, description });
const merchant = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'The client id of the merchant. Absent: the instance itself, which owns shared bank accounts.',
  }),
);
const merchantOrNull = textOrNull('The client id of the merchant; null for the instance.');

export const AccountShape = Type.Object(
  {
    account: Type.String({ description: 'The name of the account.' }),
    kind: Type.Enum([...accountKinds], { description: 'The kind of the account.' }),
    currency: currency('The currency of the account.'),
    balance: decimalText('A debit balance is positive, a credit balance negative.'),
    openedAt: time('When the first posting was made.'),
  },
  {
    title: 'LedgerAccount',
    examples: [
      {
        account: 'bank:EUR:main',
        kind: 'bank',
        currency: 'EUR',
        balance: '1042.50',
        openedAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);

export const TrialBalanceShape = Type.Object(
  {
    currency: currency('The currency.'),
    debit: decimalText('The sum of all debit balances.'),
    credit: decimalText('The sum of all credit balances.'),
    difference: decimalText('Debit less credit. Always zero in a sound ledger.'),
  },
  {
    title: 'TrialBalance',
    examples: [{ currency: 'EUR', debit: '1042.50', credit: '1042.50', difference: '0.00' }],
  },
);

export const JournalShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the journal.' }),
    merchant: merchantOrNull,
    number: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Its number in the history of the merchant, without gaps; null for a moment after the commit.',
    }),
    event: Type.String({ description: 'What happened.' }),
    occurredAt: time('When it happened, by the merchant’s clock.'),
    recordedAt: time('When it was written, in real time.'),
    reason: textOrNull('The reason of the operator who booked it by hand.'),
    reverses: textOrNull('The id of the journal that this one undoes.'),
    reversedBy: textOrNull('The id of the journal that undid this one.'),
    postings: Type.Array(
      Type.Object({
        account: Type.String({ description: 'The name of the account.' }),
        amount: decimalText('A debit is positive, a credit negative.'),
        reference: textOrNull('The order, the suspense record or the movement.'),
      }),
      { description: 'They sum to zero in each currency.' },
    ),
  },
  {
    title: 'LedgerJournal',
    examples: [
      {
        id: 'jrn_0000070F1V9K2M3N4PQ',
        merchant: 'acme',
        number: 17,
        event: 'bank_fee',
        occurredAt: '2026-11-15T09:41:00.000Z',
        recordedAt: '2026-11-15T09:41:00.012Z',
        reason: 'Account fee for October',
        reverses: null,
        reversedBy: null,
        postings: [
          { account: 'charges:EUR', amount: '7.50', reference: null },
          { account: 'bank:EUR:main', amount: '-7.50', reference: null },
        ],
      },
    ],
  },
);

export const LedgerStatusShape = Type.Object(
  {
    merchant: merchantOrNull,
    journals: Type.Integer({ description: 'How many journals are numbered.' }),
    verified: Type.Integer({ description: 'Up to which number they were verified.' }),
    verifiedAt: timeOrNull('When a verification last found nothing wrong.'),
    fault: textOrNull('What is wrong. While it is set, new orders, payouts and refunds are stopped.'),
    faultAt: timeOrNull('When the fault was found.'),
  },
  {
    title: 'LedgerStatus',
    examples: [
      {
        merchant: 'acme',
        journals: 17,
        verified: 17,
        verifiedAt: '2026-11-15T09:45:00.000Z',
        fault: null,
        faultAt: null,
      },
    ],
  },
);

export const AccountsQueryShape = Type.Object(
  {
    merchant,
    currency: Type.Optional(currency('Only accounts in this currency.')),
    at: Type.Optional(
      time('The balances at this moment: only what occurred before it, by the merchant’s clock. Absent: now.'),
    ),
  },
  { additionalProperties: false },
);

export const StatusQueryShape = Type.Object({ merchant }, { additionalProperties: false });

export const JournalsQueryShape = Type.Object(
  {
    merchant,
    event: Type.Optional(Type.String({ pattern: '^[a-z_]{1,40}$', description: 'Only this event.' })),
    reference: Type.Optional(reference('Only journals about this order, suspense record or movement.')),
    from: Type.Optional(time('Only journals of this moment or later.')),
    to: Type.Optional(time('Only journals before this moment.')),
    limit: pageLimit(),
    after: pageStart('^[0-9]{1,19}\\.[0-9]{1,19}$'),
  },
  { additionalProperties: false },
);

export const StatementQueryShape = Type.Object(
  {
    merchant,
    day: Type.String({ format: 'date', description: 'The day in UTC, by the merchant’s clock.' }),
  },
  { additionalProperties: false, examples: [{ day: '2026-11-15' }] },
);

export const JournalPath = Type.Object(
  { journalId: Type.String({ description: 'The id of the journal.' }) },
  { examples: [{ journalId: 'jrn_0000070F1V9K2M3N4PQ' }] },
);

const PostingShape = Type.Object(
  {
    account: accountName('The name of the account: `fee:EUR`, `bank:EUR:main` …'),
    debit: Type.Optional(positiveText('The amount, if it is a debit.')),
    credit: Type.Optional(positiveText('The amount, if it is a credit.')),
    reference: Type.Optional(reference('The order, suspense record or movement. Customer money needs one.')),
  },
  { additionalProperties: false },
);

export const EntryShape = Type.Object(
  {
    merchant,
    kind: Type.Enum([...entryKinds], {
      description:
        '`funding`: own money enters or leaves a bank account (`bank`, `currency`, `amount`, `direction`). ' +
        '`bank_fee`: a bank took a fee (`bank`, `currency`, `amount`). ' +
        '`cover_trade`: a trade that closes a currency position (`bank`, `currency`, `amount` for what was sold, `bought`, `closes`). ' +
        '`correction`: anything else (`postings`), or the reversal of an earlier entry (`reverses`).',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Why it is booked. It is kept for ever: write nothing personal.',
    }),
    bank: Type.Optional(bank('Which bank account.')),
    bankReference: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,100}$',
        description: 'The bank’s own reference of the line, if you see it on the statement.',
      }),
    ),
    currency: Type.Optional(currency('The currency of `amount`.')),
    amount: Type.Optional(positiveText('The amount as a decimal.')),
    direction: Type.Optional(Type.Enum(['in', 'out'], { description: 'Whether the funding enters or leaves.' })),
    bought: Type.Optional(
      Type.Object(
        {
          bank: bank('To which bank account.'),
          currency: currency('The currency that was bought.'),
          amount: positiveText('How much was bought.'),
        },
        { additionalProperties: false, description: 'What a cover trade bought.' },
      ),
    ),
    closes: Type.Optional(
      positiveText(
        'How much of the position in the bought currency the trade closes; all of it by default. The difference to what was bought is the gain or loss.',
      ),
    ),
    postings: Type.Optional(
      Type.Array(PostingShape, { minItems: 2, maxItems: 100, description: 'The postings of a correction.' }),
    ),
    reverses: Type.Optional(
      Type.String({ maxLength: 40, description: 'The id of the treasury entry that a correction undoes.' }),
    ),
  },
  {
    title: 'TreasuryEntry',
    additionalProperties: false,
    examples: [
      {
        merchant: 'acme',
        kind: 'bank_fee',
        bank: 'main',
        currency: 'EUR',
        amount: '7.50',
        reason: 'Account fee for October',
      },
    ],
  },
);

export const ClearFaultShape = Type.Object(
  {
    merchant,
    note: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'What was wrong and how it was repaired. It goes to the audit log: write nothing personal.',
    }),
  },
  {
    title: 'LedgerFaultCleared',
    additionalProperties: false,
    examples: [{ merchant: 'acme', note: 'Posting 2 of journal 17 restored from the backup of 14 November.' }],
  },
);
