/** The shapes of imports on the wire. */

import Type from 'typebox';
import { pageLimit, pageStart, textOrNull, time } from '../../http/shapes.js';
import { PayerShape } from '../operator/schemas.js';
import { currency } from '../schemas.js';
import { suspenseStates } from '../suspense/transitions.js';
import { mostLines } from './csv.js';

export const largestFile = 8 * 1024 * 1024;

export const ImportFileShape = Type.Object(
  {
    accountId: Type.String({
      maxLength: 40,
      description: 'The pay-in account whose movements the file has.',
    }),
    csv: Type.String({
      minLength: 1,
      maxLength: largestFile,
      description: `The file as text: CSV with a header line, commas or semicolons, at most ${mostLines} lines. Columns: \`bankReference\`, \`amount\`, \`currency\`, \`bookedAt\`, \`payerName\`, and optionally \`payerAccount\` and \`remittanceText\`.`,
    }),
  },
  {
    title: 'PaymentImportFile',
    additionalProperties: false,
    examples: [
      {
        accountId: 'main-eur',
        csv: 'bankReference,amount,currency,bookedAt,payerName,payerAccount,remittanceText\n2026111500042,100.00,EUR,2026-11-15,Ana Reyes,ES9121000418450200051332,RF31 0000 013J 8V2T 9X5B 3N6H 0\n',
      },
    ],
  },
);

export const ImportPath = Type.Object({ importId: Type.String({ description: 'The id of the import.' }) });

const count = (description: string) => Type.Integer({ minimum: 0, description });

const importExample = {
  id: 'imp_0000013J8V2T9X5B3N6H0C7D2F',
  accountId: 'main-eur',
  lines: 120,
  recorded: 110,
  suspense: 4,
  duplicate: 5,
  fault: 1,
  isFinished: true,
  voided: 0,
  voiding: 'no',
  createdAt: '2026-11-15T10:06:00.000Z',
};

export const ImportShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the import.' }),
    accountId: Type.String({ description: 'The pay-in account.' }),
    lines: count('The lines of the file, without the header and empty ones.'),
    recorded: count(
      'Lines whose payment was applied to its order, or is handed over to the merchant of its order, who may put it in suspense.',
    ),
    suspense: count('Lines whose payment came into suspense, also after it was handed over.'),
    duplicate: count('Lines whose movement had been recorded before.'),
    fault: count('Lines that could not be read or recorded.'),
    isFinished: Type.Boolean({ description: 'Whether all lines are done.' }),
    voided: count('Payments of the file that were voided.'),
    voiding: Type.Enum(['no', 'voiding', 'done'], {
      description:
        'Whether two operators have voided the import. `done`: each payment was tried; what had moved on stays.',
    }),
    createdAt: time('When the file was accepted.'),
  },
  {
    title: 'PaymentImport',
    examples: [importExample],
  },
);

export const ListedImportShape = Type.Object(
  {
    ...ImportShape.properties,
    merchant: textOrNull('The client id of the merchant that owns the account; null for a shared one.'),
    by: Type.String({ description: 'The login of who imported it.' }),
  },
  { title: 'ListedPaymentImport', examples: [{ ...importExample, merchant: 'acme', by: 'rita' }] },
);

export const ImportQueryShape = Type.Object(
  {
    merchant: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only on accounts of this merchant (client id).' }),
    ),
    account: Type.Optional(Type.String({ maxLength: 40, description: 'Only on this pay-in account.' })),
    after: pageStart('^[0-9]{1,18}\\.imp_[0-9A-HJKMNP-TV-Z]{26}$'),
    limit: pageLimit(20, 50),
  },
  { additionalProperties: false },
);

export const ImportResultsQueryShape = Type.Object(
  { after: pageStart('^[0-9]{1,6}$') },
  { additionalProperties: false },
);

const lineOutcomes = ['applied', 'handed_over', 'suspense', 'duplicate', 'fault', 'voided'] as const;

export const ImportedLineShape = Type.Object(
  {
    line: Type.Integer({ description: 'Where the line ends in the file.' }),
    outcome: Type.Enum([...lineOutcomes], {
      description:
        'As it is now. `applied`: an order has the money, or what it needed of it. `handed_over`: the merchant of its order takes it over within seconds. `suspense`: no order takes it. `duplicate`: it had been recorded before. `fault`: it was not recorded. `voided`: two operators have voided it.',
    }),
    reason: textOrNull('Why it is in suspense, or the code of the fault.'),
    column: textOrNull('The column that is wrong.'),
    message: textOrNull('What is wrong.'),
    paymentId: textOrNull('The payment; null for a fault.'),
    bankReference: textOrNull('The bank’s own reference; null for a fault.'),
    amount: Type.Union([Type.Number(), Type.Null()], { description: 'What arrived; null for a fault.' }),
    currency: Type.Union([currency, Type.Null()], { description: 'Its currency; null for a fault.' }),
    payer: PayerShape,
    orderId: textOrNull('The order that it is for, or seems to be for.'),
    suspenseId: textOrNull('What of it came into suspense.'),
    suspenseState: Type.Union([Type.Enum([...suspenseStates]), Type.Null()], {
      description: 'What became of that.',
    }),
  },
  {
    title: 'ImportedLine',
    examples: [
      {
        line: 2,
        outcome: 'suspense',
        reason: 'no_reference',
        column: null,
        message: null,
        paymentId: 'pay_0000013J8V2T9X5B3N6H0C7D2F',
        bankReference: '2026111500042',
        amount: 100,
        currency: 'EUR',
        payer: { name: 'Ana Reyes', account: null, remittanceText: 'rent' },
        orderId: null,
        suspenseId: 'sus_0000013J8V2T9X5B3N6H0C7D2F',
        suspenseState: 'OPEN',
      },
    ],
  },
);

export const SettledShape = Type.Object(
  { note: Type.String({ minLength: 1, maxLength: 1000, description: 'What you did. Nothing personal.' }) },
  {
    title: 'SettledImport',
    additionalProperties: false,
    examples: [{ note: 'Lines 4 and 9 recorded by hand.' }],
  },
);

export const ImportVoidShape = Type.Object(
  {
    note: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '\\S',
      description: 'Why. Only operators see it; it is stored encrypted.',
    }),
  },
  {
    title: 'PaymentImportVoid',
    additionalProperties: false,
    examples: [{ note: 'It was the statement of another account.' }],
  },
);
