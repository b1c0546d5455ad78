/** The shapes of answers and files of banks on the wire. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { pageLimit, severalOf, textOrNull, time } from '../../http/shapes.js';
import { incomingStates } from '../transport/incoming-file.js';
import { answerKinds, answerStates } from './answer.js';

export const AnswerPath = Type.Object({
  answerId: Type.String({ maxLength: 40, description: 'The id of the answer.' }),
});

export const AnswerQueryShape = Type.Object({
  state: Type.Optional(severalOf(answerStates, 'Only answers in these states. Absent: those that wait.')),
  limit: pageLimit(),
});

export const AnswerShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the answer.' }),
    batchId: Type.String({ description: 'The batch that it is about.' }),
    fileId: Type.String({ description: 'The file that says so: its SHA-256.' }),
    kind: Type.Enum([...answerKinds], {
      description:
        '`rejected`: the bank has not paid them. `duplicate`: it says that it has them already; find out whether it paid them. `recalled`: it gives back what you recalled before it was paid.',
    }),
    state: Type.Enum([...answerStates], {
      description:
        '`APPROVED`: being applied. `APPLIED`: the payments are rejected or recalled. `DISMISSED`: nothing followed.',
    }),
    payments: Type.Array(
      Type.Object({
        reference: Type.String({ description: 'The end-to-end id of the payment.' }),
        reason: textOrNull('The code of the bank, such as `AC01`.'),
      }),
      { description: 'The payments.' },
    ),
    version: Type.Integer({ minimum: 1, description: 'Counts the changes of the answer.' }),
    receivedAt: time('When it was read.'),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'BankAnswer',
    examples: [
      {
        id: 'ban_0000003J8V2T9X5B3N6H0C7D2F',
        batchId: 'bat_0000003J8V2T9X5B3N6H0C7D2F',
        fileId: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        kind: 'rejected',
        state: 'WAITING',
        payments: [{ reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F', reason: 'AC01' }],
        version: 1,
        receivedAt: '2026-11-16T15:00:00.000Z',
      },
    ],
  },
);

const note = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'What you found out. It stays in the audit log.',
});

export const DismissalShape = Type.Object(
  { note },
  { title: 'BankAnswerDismissal', additionalProperties: false, examples: [{ note: 'The bank paid them after all.' }] },
);

export const FilePath = Type.Object({ fileId: Type.String({ maxLength: 64, description: 'The id of the file.' }) });

export const FileQueryShape = Type.Object({
  state: Type.Optional(severalOf(incomingStates, 'Only files in these states. Absent: all.')),
  limit: pageLimit(),
});

export const FileShape = Type.Object(
  {
    id: Type.String({ description: 'A SHA-256 of the connection and the bytes: the same file is one file.' }),
    connection: Type.String({ description: 'The entry of BANK_CONNECTIONS that it came through.' }),
    name: Type.String({ description: 'The name that the bank gave it.' }),
    format: textOrNull('The message in it, such as `pain.002.001.10`.'),
    state: Type.Enum([...incomingStates], {
      description: '`RECEIVED`: about to be read. `FAULTY`: see `faults`; what could be read was read.',
    }),
    faults: Type.Array(
      Type.Object({
        message: Type.String({ description: 'What is wrong.' }),
        line: Type.Union([Type.Integer(), Type.Null()], { description: 'The line of the file.' }),
        path: textOrNull('The XPath of the element.'),
      }),
      { description: 'What could not be read, or belongs to nothing of ours.' },
    ),
    isSettled: Type.Boolean({ description: 'Whether an operator has examined the faults.' }),
    receivedAt: time('When it was fetched.'),
  },
  {
    title: 'BankFile',
    examples: [
      {
        id: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        connection: 'main-eur',
        name: 'pain002-1.xml',
        format: 'pain.002.001.10',
        state: 'READ',
        faults: [],
        isSettled: false,
        receivedAt: '2026-11-16T15:00:00.000Z',
      },
    ],
  },
);

export const SettlementShape = Type.Object(
  { note },
  { title: 'BankFileSettlement', additionalProperties: false, examples: [{ note: 'A test file of the bank.' }] },
);
