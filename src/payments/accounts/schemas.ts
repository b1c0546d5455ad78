/** The shapes of pay-in accounts on the wire. */

import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { textOrNull } from '../../http/shapes.js';
import { currencyCodes } from '../../money/currency.js';

const accountId = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,39}$',
  description: 'The id of the bank account (`GET /operator/bank/accounts`).',
});
const currency = Type.Enum([...currencyCodes], {
  title: 'Currency',
  description: 'The currency of the account (ISO 4217).',
});
const merchant = Type.String({
  maxLength: 100,
  description: 'The client id of the merchant whose orders are paid there. Absent: all merchants share it.',
});
const terms = {
  holder: Type.String({ minLength: 1, maxLength: 140, description: 'Who holds the account.' }),
  bankName: Type.String({ minLength: 1, maxLength: 140, description: 'The bank.' }),
  country: Type.String({
    pattern: '^[A-Z]{2}$',
    description: 'The country of the bank: an ISO 3166-1 code of two letters.',
  }),
  details: Type.Record(Type.String({ pattern: '^[A-Za-z]{1,30}$' }), Type.String({ minLength: 1, maxLength: 64 }), {
    maxProperties: 10,
    description:
      'The numbers of the account, such as `iban` and `bic`. Check digits are checked. Where we also pay out, the fields are the `account` fields of `GET /beneficiaries/requirements`.',
  }),
  isEnabled: Type.Boolean({
    description: 'Whether new orders name it. A disabled account still takes payments.',
  }),
};
const timeZone = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_+/-]{1,59}$',
  description:
    'Where the day of the bank ends: the IANA name of a time zone. Absent: as it is; for a new account, that of the country.',
});
const termsExample = {
  holder: 'Remesa Payments S.L.',
  bankName: 'Banco de Ejemplo',
  country: 'ES',
  details: { iban: 'ES9121000418450200051332' },
  isEnabled: true,
};
const version = Type.Integer({ minimum: 1, description: 'Counts the changes of the account.' });

export const AccountPath = Type.Object({ accountId: Type.String({ description: 'The id of the account.' }) });

export const NewAccountShape = Type.Object(
  { accountId, currency, merchant: Type.Optional(merchant), ...terms, timeZone: Type.Optional(timeZone) },
  {
    title: 'NewPayinAccount',
    additionalProperties: false,
    examples: [{ accountId: 'main-eur', currency: 'EUR', ...termsExample }],
  },
);

export const ChangedAccountShape = Type.Object(
  { ...terms, timeZone: Type.Optional(timeZone), version },
  {
    title: 'ChangedPayinAccount',
    additionalProperties: false,
    examples: [{ ...termsExample, isEnabled: false, version: 1 }],
  },
);

export const AccountShape = Type.Object(
  {
    accountId,
    currency,
    merchant: textOrNull('The client id of the owner; null when all merchants share it.'),
    ...terms,
    timeZone,
    version,
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'OperatorPayinAccount',
    examples: [
      {
        accountId: 'main-eur',
        currency: 'EUR',
        merchant: null,
        ...termsExample,
        timeZone: 'Europe/Madrid',
        version: 1,
      },
    ],
  },
);
