/** What a recipient is told of each state. */
import { expect, it } from 'vitest';
import { orderStates } from '../../src/orders/order/transitions.js';
import { trackingStageOf } from '../../src/transfer-page/invitations/tracking.js';

it('is told of a transfer only what has left: a review, a freeze and a refund are not there', () => {
  const payee = { method: 'bank_account' } as never;
  const shown = orderStates.flatMap((state) => {
    const stage = trackingStageOf({ state, payee });
    return stage ? [[state, stage]] : [];
  });
  expect(Object.fromEntries(shown)).toEqual({
    PAYOUT_SUBMITTED: 'sent',
    COMPLETED: 'arrived',
    PAYOUT_FAILED: 'delayed',
    RETURNED: 'delayed',
  });
});
