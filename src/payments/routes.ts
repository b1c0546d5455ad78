/** The route for operators that records a payment by hand. */
import type { Static } from 'typebox';
import { command, type Route } from '../http/route.js';
import type { HandPayment, HandPaymentService } from './by-hand/service.js';
import { viewOfPayment } from './payment.js';
import { NewPaymentShape, PaymentShape } from './schemas.js';
import type { RecordedPayment } from './service.js';

export function paymentRoutes(payments: HandPaymentService): Route[] {
  return [
    command({
      tag: 'Payments for operators',
      method: 'POST',
      path: '/operator/payments',
      operationId: 'recordPayment',
      summary: 'Record a payment that arrived',
      description:
        'Needs an `Idempotency-Key`, because it moves money. The same movement again, by hand or in a file, returns the first record. Above `RECORDED_PAYMENTS_USD_PER_DAY`, and with `otherThan`, a second operator must approve it.',
      returns: 'The payment, and what became of it.',
      access: { token: 'operator', role: 'reviewer' },
      subject: (call, database) => payments.ownerOf(database, call.body.accountId),
      idempotency: { keepForHours: 24, isRequired: true },
      fourEyes: {
        action: 'payment.record',
        review: (call, tx) => payments.review(tx, call.by, enteredOf(call)),
      },
      body: NewPaymentShape,
      literals: ['/amount'],
      answer: PaymentShape,
      refusals: [
        'payin_account_not_found',
        'payment_differs',
        'bank_reference_used',
        'possible_duplicate',
        'ledger_fault',
      ],
      run: async (call, tx) => encodeRecorded(await payments.record(tx, call.by, enteredOf(call))),
    }),
  ];
}

export function encodeRecorded({ payment, isNew }: RecordedPayment): Static<typeof PaymentShape> {
  return { ...viewOfPayment(payment), isDuplicate: !isNew };
}

interface HandCall {
  readonly body: Static<typeof NewPaymentShape>;
  literal(pointer: string): string | undefined;
}

function enteredOf({ body, literal }: HandCall): HandPayment {
  const { accountId, bankReference, currency, bookedAt, payer, remittanceText = '', otherThan } = body;
  return {
    accountId,
    otherThan,
    texts: {
      bankReference,
      currency,
      bookedAt,
      remittanceText,
      amount: literal('/amount') ?? '',
      payerName: payer.name,
      payerAccount: payer.account ?? '',
    },
  };
}
