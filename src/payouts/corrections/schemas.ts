/** The shapes of corrections of payouts on the wire. */
import Type from 'typebox';
import { AttemptShape, PaidShape } from '../schemas.js';

const { version, bankReference, bookedAt, bank, charge } = PaidShape.properties;
const note = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  description: 'What went wrong, and how you know. Only operators see it; it is stored encrypted.',
});

export const CorrectionShape = Type.Object(
  { version, note },
  {
    title: 'PayoutCorrection',
    additionalProperties: false,
    examples: [{ version: 3, note: 'The line of the statement belongs to another payout.' }],
  },
);

export const ProofShape = Type.Object(
  { version, bankReference, bookedAt, bank, charge, note },
  {
    title: 'PayoutProof',
    additionalProperties: false,
    examples: [
      {
        version: 3,
        bankReference: '20261115-0042',
        bookedAt: '2026-11-15T09:41:00.000Z',
        bank: 'main',
        note: 'The bank had rejected it by mistake; see its letter of today.',
      },
    ],
  },
);

const { id, orderId, reference, rail, state, currency, amount } = AttemptShape.properties;

export const CorrectedPayoutShape = Type.Object(
  { id, orderId, reference, rail, state, currency, amount, version: AttemptShape.properties.version },
  {
    title: 'CorrectedPayout',
    examples: [
      {
        id: 'att_0000013J8V2T9X5B3N6H0C7D2F',
        orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
        reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
        rail: 'manual',
        state: 'ACCEPTED',
        currency: 'MXN',
        amount: '1952.04',
        version: 4,
      },
    ],
  },
);
