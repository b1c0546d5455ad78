/** The shapes of bank balances on the wire. Amounts are decimals in text, as everywhere in the ledger. */

import Type from 'typebox';
import { textOrNull, time, timeOrNull } from '../../http/shapes.js';
import { explanationKinds } from './balance.js';

const signed = '^-?[0-9]+(\\.[0-9]+)?$';
const decimalText = (description: string) => Type.String({ pattern: signed, maxLength: 60, description });
const decimalOrNull = (description: string) =>
  Type.Union([Type.String({ pattern: signed }), Type.Null()], { description });

const account = Type.String({
  examples: ['bank:EUR:main-eur'],
  pattern: '^(bank|settlement):[A-Z]{3}:[A-Za-z0-9._-]{1,64}$',
  description:
    'The account in the ledger: `bank:EUR:main-eur` for a bank account, `settlement:MXN:partner` for what a rail holds for you.',
});
const note = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Where you read it. Nothing personal: it stays.',
});

export const BalancePath = Type.Object({ account });

export const NewStatementShape = Type.Object(
  {
    account,
    at: time('The moment of the balance. What the bank booked until then is in it.'),
    balance: decimalText('The balance on the statement. Negative when the account is overdrawn.'),
    note: Type.Optional(note),
  },
  {
    title: 'NewBankBalance',
    additionalProperties: false,
    examples: [
      {
        account: 'bank:EUR:main-eur',
        at: '2026-11-15T23:59:59Z',
        balance: '15250.00',
        note: 'Statement 214',
      },
    ],
  },
);

export const MinimumShape = Type.Object(
  {
    minimum: Type.Union([Type.String({ pattern: signed, maxLength: 60 }), Type.Null()], {
      description: 'The minimum balance; null to remove it.',
    }),
    version: Type.Integer({ minimum: 1, description: 'The `version` that you read.' }),
  },
  {
    title: 'BankBalanceMinimum',
    additionalProperties: false,
    examples: [{ minimum: '5000.00', version: 1 }],
  },
);

const CountedShape = {
  count: Type.Integer({ description: 'How many.' }),
  amount: decimalText('Their sum.'),
};

export const BankBalanceShape = Type.Object(
  {
    account,
    currency: Type.String({ description: 'The currency of the account.' }),
    ledgerBalance: decimalText('What the ledger says now, in the books of all merchants together.'),
    statement: Type.Union(
      [
        Type.Object({
          at: time('The moment of the balance.'),
          balance: decimalText('The balance on the statement.'),
          note: textOrNull('Where it was read.'),
          recordedAt: time('When it was recorded.'),
          ledgerBalance: decimalText('What the ledger says of that moment.'),
          difference: decimalText('The statement less the ledger.'),
          explainedBy: Type.Array(
            Type.Object({
              kind: Type.Enum([...explanationKinds], {
                description:
                  '`recorded_later`: the bank had booked it, and it was recorded afterwards. `recorded_earlier`: it was recorded, and the bank booked it afterwards. `payouts_in_flight`: the rail had not paid them yet.',
              }),
              ...CountedShape,
            }),
            { description: 'What explains the difference.' },
          ),
          unexplained: decimalText('What is left. Zero when the statement and the ledger agree.'),
        }),
        Type.Null(),
      ],
      { description: 'The newest statement, compared with the ledger; null when none was recorded.' },
    ),
    differsSince: timeOrNull('Since when nothing explains the difference. After a day it is a task.'),
    instructed: Type.Union([Type.Object(CountedShape), Type.Null()], {
      description:
        'Payments by hand in this currency that the bank was instructed to make and that are not recorded as paid: the bank may have debited them. Null for a partner.',
    }),
    minimum: decimalOrNull('The minimum balance; null when none is set.'),
    lowSince: timeOrNull('Since when the ledger or the statement is below the minimum.'),
    version: Type.Integer({ description: 'Counts the changes of the minimum.' }),
  },
  {
    title: 'BankBalance',
    examples: [
      {
        account: 'bank:EUR:main-eur',
        currency: 'EUR',
        ledgerBalance: '15350.00',
        statement: {
          at: '2026-11-15T23:59:59.000Z',
          balance: '15250.00',
          note: 'Statement 214',
          recordedAt: '2026-11-16T08:05:00.000Z',
          ledgerBalance: '15000.00',
          difference: '250.00',
          explainedBy: [{ kind: 'recorded_later', count: 1, amount: '250.00' }],
          unexplained: '0.00',
        },
        differsSince: null,
        instructed: { count: 0, amount: '0.00' },
        minimum: '5000.00',
        lowSince: null,
        version: 2,
      },
    ],
  },
);
