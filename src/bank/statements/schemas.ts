/** The shapes of files of banks, their lines and the check of statements on the wire. */
import Type from 'typebox';
import { textOrNull, time } from '../../http/shapes.js';
import { dayFaults } from '../days/day.js';

/** In bytes, before it is written as base64. Larger files come by a transport. */
export const largestUpload = 4 * 1024 * 1024;

export const UploadShape = Type.Object(
  {
    file: Type.String({
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      maxLength: Math.ceil(largestUpload / 3) * 4,
      description: 'The file in base64, byte for byte as the bank sent it: camt.052, .053 or .054; at most 4 MB.',
    }),
  },
  { title: 'StatementUpload', additionalProperties: false, examples: [{ file: 'PERvY3VtZW50Lz4=' }] },
);

export const FilePath = Type.Object({
  accountId: Type.String({ description: 'The id of the account.' }),
  fileId: Type.String({ maxLength: 100, description: 'The id of the file.' }),
});

export const StatementFileShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the file. The same bytes have the same id.' }),
    accountId: Type.String({ description: 'The account.' }),
    digest: Type.String({ description: 'SHA-256 of its bytes, in base64url.' }),
    source: Type.String({ description: '`upload`, or the name of the transport.' }),
    format: textOrNull('What it is, such as `camt.053.001.08`; null until it was read.'),
    isFinished: Type.Boolean({ description: 'Whether it was read to its end.' }),
    entries: Type.Integer({ description: 'How many booked entries were read.' }),
    newLines: Type.Integer({ description: 'How many of them were not known.' }),
    faultCount: Type.Integer({ description: 'How much of it could not be read.' }),
    faults: Type.Array(
      Type.Object({
        message: Type.String({ description: 'What is wrong.' }),
        line: Type.Union([Type.Integer(), Type.Null()], { description: 'The line of the file.' }),
        path: Type.String({ description: 'The element as an XPath.' }),
      }),
      { description: 'The first hundred faults.' },
    ),
    receivedAt: time('When it came.'),
  },
  {
    title: 'StatementFile',
    examples: [
      {
        id: 'bfl_0000003J8V2T9X5B3N6H0C7D2F',
        accountId: 'main-eur',
        digest: 'tI6PjzKcX3i1Jr3fVqQzZ9vVZ0uF6E3d2hW1a4s8m0U',
        source: 'upload',
        format: 'camt.053.001.08',
        isFinished: true,
        entries: 42,
        newLines: 40,
        faultCount: 0,
        faults: [],
        receivedAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);

const decimal = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const DaysQueryShape = Type.Object(
  {
    from: Type.Optional(
      Type.String({ format: 'date', description: 'The first day. Absent: from the first statement.' }),
    ),
    to: Type.Optional(Type.String({ format: 'date', description: 'The last day. Absent: to the newest statement.' })),
  },
  { additionalProperties: false, examples: [{ from: '2026-11-01', to: '2026-11-30' }] },
);

export const StatementDayShape = Type.Object(
  {
    day: Type.String({ description: 'The day of the closing balance.' }),
    statement: textOrNull('The bank’s id of the statement.'),
    sequence: textOrNull('Its number in the series.'),
    opening: decimal('The opening balance.'),
    closing: decimal('The closing balance.'),
    entries: Type.Integer({ description: 'How many booked entries it has.' }),
    net: Type.String({ description: 'Its entries together: credits are positive.' }),
    breaks: Type.String({ description: 'What nothing explains until the end of this day.' }),
    breakCount: Type.Integer({ description: 'How many payments that is.' }),
    ledger: Type.String({ description: 'What the ledger holds of the lines until the end of this day.' }),
    unconfirmed: Type.String({ description: 'The part of `ledger` that no file of the bank has told.' }),
    difference: decimal('Closing balance less breaks less ledger.'),
    faults: Type.Array(
      Type.Enum([...dayFaults], {
        description: 'What does not fit together.',
      }),
      { description: 'Empty for a day that is closed.' },
    ),
  },
  {
    title: 'StatementDay',
    examples: [
      {
        day: '2026-11-15',
        statement: '2026-318',
        sequence: '318',
        opening: '1000.00',
        closing: '1092.50',
        entries: 2,
        net: '92.50',
        breaks: '-7.50',
        breakCount: 1,
        ledger: '1100.00',
        unconfirmed: '0.00',
        difference: '0.00',
        faults: [],
      },
    ],
  },
);

export const SettledFileShape = Type.Object(
  {
    note: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '\\S',
      description: 'What you did. Nothing personal.',
    }),
  },
  { title: 'StatementSettlement', additionalProperties: false, examples: [{ note: 'The bank sent it again.' }] },
);
