/** The shapes of imports on the wire. */

import Type from 'typebox';
import { time } from '../../http/shapes.js';
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

export const ImportShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the import.' }),
    accountId: Type.String({ description: 'The pay-in account.' }),
    lines: count('The lines of the file, without the header and empty ones.'),
    recorded: count('Lines whose payment was applied or handed over.'),
    suspense: count('Lines whose payment is in suspense.'),
    duplicate: count('Lines whose movement had been recorded before.'),
    fault: count('Lines that could not be read or recorded.'),
    isFinished: Type.Boolean({ description: 'Whether all lines are done.' }),
    createdAt: time('When the file was accepted.'),
  },
  {
    title: 'PaymentImport',
    examples: [
      {
        id: 'imp_0000013J8V2T9X5B3N6H0C7D2F',
        accountId: 'main-eur',
        lines: 120,
        recorded: 110,
        suspense: 4,
        duplicate: 5,
        fault: 1,
        isFinished: true,
        createdAt: '2026-11-15T10:06:00.000Z',
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
