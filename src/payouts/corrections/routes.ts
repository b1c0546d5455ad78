/** Routes for operators who correct what was recorded about a payout. Each needs a second operator. */

import type { Static } from 'typebox';
import { readBookingTime } from '../../http/body/read-time.js';
import { command, type Route } from '../../http/route.js';
import { amountToText } from '../../money/literal.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Attempt } from '../attempt.js';
import { refOf } from '../operator/service.js';
import { AttemptPath } from '../schemas.js';
import type { Proof } from './proof.js';
import { CorrectedPayoutShape, CorrectionShape, ProofShape } from './schemas.js';
import type { PayoutCorrections } from './service.js';

interface PayoutCall {
  readonly params: { readonly attemptId: string };
}

const corrected = (corrections: PayoutCorrections) =>
  ({
    tag: 'Corrections for operators',
    access: { token: 'operator', role: 'reviewer' },
    method: 'POST',
    params: AttemptPath,
    answer: CorrectedPayoutShape,
    returns: 'The payout.',
    subject: async ({ params }: PayoutCall) => refOf(params.attemptId).merchantId,
    idempotency: { keepForHours: 24, isRequired: true },
    fourEyes: {
      action: 'order.correct',
      review: ({ params }: PayoutCall, tx: Transaction) => corrections.review(tx, params.attemptId),
    },
  }) as const;
const refusals = ['payout_not_found', 'payout_changed', 'payout_not_correctable', 'ledger_fault'];

export function payoutCorrectionRoutes(corrections: PayoutCorrections): Route[] {
  return [notPaidRoute(corrections), provePaidRoute(corrections), paidTwiceRoute(corrections)];
}

function notPaidRoute(corrections: PayoutCorrections): Route {
  return command({
    ...corrected(corrections),
    path: '/operator/payouts/{attemptId}/not-paid',
    operationId: 'correctPayoutNotPaid',
    summary: 'Correct a payout that was marked as paid by mistake',
    description:
      'The payout is `ACCEPTED` again and its order `PAYOUT_SUBMITTED`. A debit that was booked is reversed, and the bank reference can be recorded for the payout that it belongs to. Needs a second operator and an `Idempotency-Key`.',
    body: CorrectionShape,
    refusals,
    run: async (call, tx) => encode(await corrections.notPaid(tx, call.by, call.params.attemptId, call.body)),
  });
}

function provePaidRoute(corrections: PayoutCorrections): Route {
  return command({
    ...corrected(corrections),
    path: '/operator/payouts/{attemptId}/prove-paid',
    operationId: 'provePayoutPaid',
    summary: 'Record that a payout or a refund was paid after all',
    description:
      'For a payout that failed, came back or was withdrawn, also while its order is reviewed, frozen or asked for information. Another payout or a refund of the order that nobody was instructed to make is withdrawn; otherwise you get 409. What was booked is reversed, and the order becomes `COMPLETED`. While the request waits for a second operator, nothing of the order is paid again or back by itself. For a refund, of an order or of money in suspense, that failed, came back or was withdrawn: the payer has the money, and the next try of the same refund is withdrawn, if nobody was instructed to pay it; what was paid beyond what is owed now is a loss on `writeoff`. Name `bank`, and no `charge`. Needs an `Idempotency-Key`.',
    body: ProofShape,
    refusals: [...refusals, 'bank_reference_used'],
    run: async (call, tx) =>
      encode(await corrections.provePaid(tx, call.by, call.params.attemptId, proofOf(call.body))),
  });
}

function paidTwiceRoute(corrections: PayoutCorrections): Route {
  return command({
    ...corrected(corrections),
    path: '/operator/payouts/{attemptId}/paid-twice',
    operationId: 'recordPayoutPaidTwice',
    summary: 'Record that a beneficiary, or a payer, was paid twice by mistake',
    description:
      'For a payout that was paid again, or that was paid although its order has been paid out or back in another way. The amount is booked as a loss on `writeoff`; nothing else changes. Also for a refund that was paid again, or although its payer was owed nothing any more. Needs a second operator and an `Idempotency-Key`.',
    body: ProofShape,
    refusals: [...refusals, 'bank_reference_used'],
    run: async (call, tx) =>
      encode(await corrections.paidTwice(tx, call.by, call.params.attemptId, proofOf(call.body))),
  });
}

function proofOf(body: Static<typeof ProofShape>): Proof {
  const { bank, charge, bookedAt, ...rest } = body;
  return { ...rest, bank, charge, bookedAt: readBookingTime('bookedAt', bookedAt) };
}

function encode(attempt: Attempt): Static<typeof CorrectedPayoutShape> {
  const { attemptId, orderId, reference, rail, state, version, amount } = attempt;
  return {
    id: attemptId,
    orderId: orderId ?? null,
    reference,
    rail,
    state,
    version,
    currency: amount.currency,
    amount: amountToText(amount),
  };
}
