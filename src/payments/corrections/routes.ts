/** Routes for operators who take a payment off its order, void it, or record that a bank took it back. */

import Type from 'typebox';
import { readBookingTime } from '../../http/body/read-time.js';
import { command, type Route } from '../../http/route.js';
import { bookingTime } from '../../http/shapes.js';
import { viewOfPayment } from '../payment.js';
import { PaymentShape, paymentExample } from '../schemas.js';
import type { PaymentCorrections } from './service.js';
import type { VoidService } from './void-service.js';

const note = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  description: 'What happened, and how you know. Only operators see it; it is stored encrypted.',
});
const version = Type.Integer({
  minimum: 1,
  description:
    'The `version` of the order that has the payment, or of the suspense record. If it has changed since, you get 409.',
});
const TakeOffShape = Type.Object(
  { version, note },
  {
    title: 'PaymentCorrection',
    additionalProperties: false,
    examples: [{ version: 2, note: 'The payment is for the other order of the same sender.' }],
  },
);
const VoidShape = Type.Object(
  { version, note },
  {
    title: 'PaymentVoid',
    additionalProperties: false,
    examples: [{ version: 1, note: 'The statement says 60.00, and 90.00 was typed.' }],
  },
);
const ClawbackShape = Type.Object(
  {
    version,
    bankReference: Type.String({
      pattern: '^[\\x21-\\x7e]{1,100}$',
      description: 'The bank’s own reference of the line that takes the money back.',
    }),
    bookedAt: bookingTime('When the bank booked it.'),
    note,
  },
  {
    title: 'PaymentClawback',
    additionalProperties: false,
    examples: [
      {
        version: 4,
        bankReference: '20261117-0007',
        bookedAt: '2026-11-17T09:41:00.000Z',
        note: 'The payer has disputed the debit.',
      },
    ],
  },
);
const LossShape = Type.Object(
  { note: Type.String({ minLength: 1, maxLength: 1000, description: 'What you did. Nothing personal.' }) },
  {
    title: 'SettledLoss',
    additionalProperties: false,
    examples: [{ note: 'Claimed from the insurance.' }],
  },
);

const corrected = {
  tag: 'Corrections for operators',
  access: { token: 'operator', role: 'reviewer' },
  method: 'POST',
  params: Type.Object({
    paymentId: Type.String({ maxLength: 100, description: 'The id of the payment.' }),
  }),
} as const;
const answered = {
  answer: Type.Omit(PaymentShape, ['isDuplicate'], {
    title: 'RecordedPayment',
    examples: [paymentExample],
  }),
  returns: 'The payment. The order shows what became of it.',
  idempotency: { keepForHours: 24, isRequired: true },
} as const;
const refusals = [
  'payment_not_found',
  'payment_not_reversible',
  'payment_changed',
  'order_not_found',
  'order_transition_not_allowed',
  'ledger_fault',
];

export function paymentCorrectionRoutes(corrections: PaymentCorrections, voids: VoidService): Route[] {
  return [takeOffRoute(corrections), clawbackRoute(corrections), lossRoute(corrections), voidRoute(corrections, voids)];
}

function voidRoute(corrections: PaymentCorrections, voids: VoidService): Route {
  return command({
    ...corrected,
    ...answered,
    path: '/operator/payments/{paymentId}/corrections/void',
    operationId: 'voidPayment',
    summary: 'Void a payment that never arrived like this',
    description:
      'For a payment that was recorded by mistake: a wrong amount or account, or money that never came. What was booked is taken back: from its order, until the order is converted, and from suspense, while nobody has decided about it. The true line can be recorded afterwards with the same bank reference. Needs a second operator and an `Idempotency-Key`.',
    subject: (call, database) => corrections.merchantOf(database, call.params.paymentId),
    fourEyes: {
      action: 'payment.void',
      review: (call, tx) => corrections.review(tx, call.params.paymentId),
    },
    body: VoidShape,
    refusals: [...refusals, 'suspense_changed', 'suspense_transition_not_allowed'],
    run: async (call, tx) => viewOfPayment(await voids.void(tx, call.by, call.params.paymentId, call.body)),
  });
}

function takeOffRoute(corrections: PaymentCorrections): Route {
  return command({
    ...corrected,
    ...answered,
    path: '/operator/payments/{paymentId}/corrections/take-off',
    operationId: 'takePaymentOff',
    summary: 'Take a payment off its order',
    description:
      'For a payment that was recorded for the wrong order, until the order is converted. The order waits for its payment again, and the money goes to suspense. Needs a second operator and an `Idempotency-Key`.',
    subject: (call, database) => corrections.merchantOf(database, call.params.paymentId),
    fourEyes: {
      action: 'order.correct',
      review: (call, tx) => corrections.review(tx, call.params.paymentId),
    },
    body: TakeOffShape,
    refusals,
    run: async (call, tx) => viewOfPayment(await corrections.takeOff(tx, call.by, call.params.paymentId, call.body)),
  });
}

function clawbackRoute(corrections: PaymentCorrections): Route {
  return command({
    ...corrected,
    ...answered,
    path: '/operator/payments/{paymentId}/corrections/clawback',
    operationId: 'recordClawback',
    summary: 'Record that the bank took a payment back',
    description:
      'Until somebody was instructed to pay out, the order becomes `CANCELLED` (`payment_reversed`), and a payout that waits is withdrawn. Later its state stays, and the loss becomes a task. If the order is being refunded, the refund of that payer shrinks or goes, and the others stay. The part of the payment that is in suspense is taken from there. While the refund of that payer is on its way you get 409: wait until its outcome is known. Each line of the bank is recorded once. Needs a second operator and an `Idempotency-Key`.',
    subject: (call, database) => corrections.merchantOf(database, call.params.paymentId),
    fourEyes: {
      action: 'payment.clawback',
      review: (call, tx) => corrections.review(tx, call.params.paymentId),
    },
    body: ClawbackShape,
    refusals: [...refusals, 'bank_reference_used', 'suspense_changed', 'suspense_transition_not_allowed'],
    async run(call, tx) {
      const clawback = { ...call.body, bookedAt: readBookingTime('bookedAt', call.body.bookedAt) };
      return viewOfPayment(await corrections.clawBack(tx, call.by, call.params.paymentId, clawback));
    },
  });
}

function lossRoute(corrections: PaymentCorrections): Route {
  return command({
    ...corrected,
    path: '/operator/payments/{paymentId}/corrections/clawback/settle',
    operationId: 'settleClawbackLoss',
    summary: 'Settle the loss of a clawback',
    description: 'Ends the task once you have dealt with the loss. The ledger does not change.',
    returns: 'The loss is settled.',
    subject: (call, database) => corrections.merchantOf(database, call.params.paymentId),
    body: LossShape,
    refusals: ['payment_not_found', 'payment_not_reversible', 'loss_not_found'],
    run: (call, tx) => corrections.settleLoss(tx, call.by, call.params.paymentId, call.body.note),
  });
}
