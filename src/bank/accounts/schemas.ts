/** The shapes of our bank accounts on the wire. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { textOrNull } from '../../http/shapes.js';
import { bankProfileNames } from '../../iso20022/profiles.js';
import { currencyCodes } from '../../money/currency.js';
import { accountUses } from './bank-account.js';
import { csvDates, csvDecimalMarks, csvDelimiters, csvEncodings } from './csv-format.js';

const accountId = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,39}$',
  description:
    'Your name for the account, unique in the whole instance. Its account in the ledger is named after it: `bank:EUR:main-eur`.',
});
const currency = Type.Enum([...currencyCodes], {
  title: 'Currency',
  description: 'The currency of the account (ISO 4217).',
});
const line = (description: string) => Type.String({ minLength: 1, maxLength: 70, description });
const address = Type.Object(
  {
    street: Type.Optional(line('Street and number.')),
    postalCode: Type.Optional(line('The postal code.')),
    city: line('The town.'),
  },
  { additionalProperties: false, description: 'The address of the holder. Banks ask for it in payments abroad.' },
);
const bic = Type.String({ pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$', description: 'The BIC of the bank.' });
const releaseUpTo = Type.String({
  pattern: '^[0-9]+(\\.[0-9]+)?$',
  maxLength: 30,
  description:
    'Payments leave without a second person while those of one day stay within this sum, a decimal. Absent: none do.',
});
const column = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: `The column that has ${description}.` }));
const csv = Type.Object(
  {
    delimiter: Type.Enum([...csvDelimiters], { description: 'What stands between two fields.' }),
    encoding: Type.Enum([...csvEncodings], { description: 'The encoding of the file.' }),
    dates: Type.Enum([...csvDates], { description: 'How days are written.' }),
    decimalMark: Type.Enum([...csvDecimalMarks], { description: 'What stands before the cents.' }),
    bookedOn: Type.String({ minLength: 1, maxLength: 60, description: 'The column that has the day of the booking.' }),
    valueOn: column('the value date'),
    amount: column('the amount, of a debit with a minus sign unless there is `direction`'),
    direction: column('a word for debit or credit'),
    debitWord: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'What `direction` says of a debit, such as `D`.' }),
    ),
    creditWord: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'What `direction` says of a credit, such as `C`.' }),
    ),
    debit: column('the amount of a debit, where credits have another column'),
    credit: column('the amount of a credit'),
    bankReference: column('the reference of the bank. Leave it out where there is none'),
    endToEndId: column('the end-to-end id of payments'),
    name: column('the name of the other side'),
    account: column('the account of the other side'),
    text: column('the text of the payment'),
  },
  {
    additionalProperties: false,
    description: 'How the bank writes CSV, for banks without camt. Columns are named as in the header of the file.',
  },
);
const terms = {
  holder: Type.String({ minLength: 1, maxLength: 140, description: 'Who holds the account.' }),
  bankName: Type.String({ minLength: 1, maxLength: 140, description: 'The bank.' }),
  country: Type.String({
    pattern: '^[A-Z]{2}$',
    description: 'The country of the bank: an ISO 3166-1 code of two letters.',
  }),
  number: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9 /-]{1,41}$',
    description: 'The IBAN, or the number of the account where there is none. Check digits of an IBAN are checked.',
  }),
  uses: Type.Array(Type.Enum([...accountUses]), {
    maxItems: accountUses.length,
    uniqueItems: true,
    description:
      '`payin`: senders pay to it. `payout`: payouts and refunds leave from it. `safeguarding`: it holds money of customers, apart from your own. Empty: it is not used any more.',
  }),
  profile: Type.Enum([...bankProfileNames], {
    description:
      'What is agreed with the bank about files: `plain` ISO 20022, `sepa`, `sps` (Swiss Payment Standards) or `cbpr` (CBPR+).',
  }),
};
const optional = {
  address: Type.Optional(address),
  bic: Type.Optional(bic),
  csv: Type.Optional(csv),
  releaseUpTo: Type.Optional(releaseUpTo),
  timeZone: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]{1,59}$',
      description: 'Where the day of the bank ends: the IANA name of a time zone. Absent: that of the country.',
    }),
  ),
};
const termsExample = {
  holder: 'Remesa Payments S.L.',
  bankName: 'Banco de Ejemplo',
  country: 'ES',
  number: 'ES9121000418450200051332',
  bic: 'CAIXESBBXXX',
  uses: ['payin' as const, 'payout' as const],
  profile: 'sepa' as const,
};
const version = Type.Integer({ minimum: 1, description: 'Counts the changes of the account.' });

export const BankAccountPath = Type.Object({ accountId: Type.String({ description: 'The id of the account.' }) });

export const NewBankAccountShape = Type.Object(
  {
    accountId,
    currency,
    merchant: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The client id of the merchant whose money it holds. Absent: all merchants share it.',
      }),
    ),
    ...terms,
    ...optional,
  },
  {
    title: 'NewBankAccount',
    additionalProperties: false,
    examples: [{ accountId: 'main-eur', currency: 'EUR', ...termsExample }],
  },
);

export const ChangedBankAccountShape = Type.Object(
  { ...terms, ...optional, version },
  {
    title: 'ChangedBankAccount',
    additionalProperties: false,
    examples: [{ ...termsExample, uses: [], version: 1 }],
  },
);

export const BankAccountShape = Type.Object(
  {
    accountId,
    currency,
    merchant: textOrNull('The client id of the owner; null when all merchants share it.'),
    ...terms,
    address: Type.Union([address, Type.Null()], { description: 'The address of the holder.' }),
    bic: textOrNull('The BIC of the bank.'),
    releaseUpTo: textOrNull(
      'Payments leave without a second person while those of one day stay within this sum; null when none do.',
    ),
    timeZone: Type.String({ description: 'Where the day of the bank ends.' }),
    csv: Type.Union([csv, Type.Null()], { description: 'How the bank writes CSV; null where none is read.' }),
    version,
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'BankAccount',
    examples: [
      {
        accountId: 'main-eur',
        currency: 'EUR',
        merchant: null,
        ...termsExample,
        address: null,
        releaseUpTo: null,
        timeZone: 'Europe/Madrid',
        csv: null,
        version: 1,
      },
    ],
  },
);
