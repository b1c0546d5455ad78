/** The shapes of recalls on the wire. */
import Type from 'typebox';
import { pageLimit, severalOf, textOrNull, time } from '../../http/shapes.js';
import { recallReasons, recallStates } from './recall.js';

export const RecallPath = Type.Object({
  attemptId: Type.String({ maxLength: 40, description: 'The id of the payout or refund.' }),
});

export const RecallRequestShape = Type.Object(
  {
    reason: Type.Enum([...recallReasons], {
      description:
        '`DUPL`: paid twice. `TECH`: a technical fault. `FRAD`: fraud. `CUST`: the payer asks for it. `AM09`: a wrong amount. `AC03`: a wrong account.',
    }),
    text: Type.Optional(
      Type.String({ minLength: 1, maxLength: 105, pattern: '\\S', description: 'What the bank is told besides.' }),
    ),
  },
  { title: 'BankRecallRequest', additionalProperties: false, examples: [{ reason: 'DUPL' }] },
);

export const RecallQueryShape = Type.Object({
  state: Type.Optional(severalOf(recallStates, 'Only recalls in these states. Absent: all.')),
  payoutId: Type.Optional(Type.String({ maxLength: 40, description: 'Only those of this payout.' })),
  limit: pageLimit(),
});

export const RecallShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the recall.' }),
    payoutId: Type.String({ description: 'The payout or refund.' }),
    batchId: Type.String({ description: 'The batch in which it left.' }),
    accountId: Type.String({ description: 'The account that it left from.' }),
    reference: Type.String({ description: 'Its end-to-end id.' }),
    reason: Type.Enum([...recallReasons], { description: 'What the bank was told.' }),
    fileName: Type.String({ description: 'The file to the bank.' }),
    state: Type.Enum([...recallStates], {
      description:
        '`ASKED`: no answer yet. `PENDING`: the bank asks the beneficiary. `ACCEPTED`: it gives the money back. `REFUSED`: it does not.',
    }),
    answer: textOrNull('The codes of the bank, such as `RJCR NOAS`.'),
    askedAt: time('When it was asked.'),
    answeredAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the bank answered.',
    }),
  },
  {
    title: 'BankRecall',
    examples: [
      {
        id: 'rcl_0000003J8V2T9X5B3N6H0C7D2F',
        payoutId: 'att_0000013J8V2T9X5B3N6H0C7D2F',
        batchId: 'bat_0000003J8V2T9X5B3N6H0C7D2F',
        accountId: 'main-eur',
        reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
        reason: 'DUPL',
        fileName: 'main-eur.RCL0000003J8V2T9X5B3N6H0C7D2F.camt.055.xml',
        state: 'ASKED',
        answer: null,
        askedAt: '2026-11-16T15:00:00.000Z',
        answeredAt: null,
      },
    ],
  },
);
