/** The table of states: every cell in the code, and every pair of states in the database. */
import { describe, expect, it } from 'vitest';
import { eventRules, type OrderEvent, orderEvents } from '../../src/orders/order/order-events.js';
import {
  cancellableIn,
  isOpen,
  isVisible,
  memoriesAfter,
  type OrderState,
  orderStates,
  publicActor,
  publicEvents,
  publicState,
  publicStates,
  publicTransitions,
  stateAfter,
  transitions,
} from '../../src/orders/order/transitions.js';
import { useRemesa } from '../harness/remesa.js';
import { triggersOff } from '../harness/without-triggers.js';
import { orderJobNames } from '../orders/orders.js';
import { placed, sender } from './orders.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const { sql } = running;

const inEveryState =
  'AWAITING_PAYMENT= PAYMENT_RECEIVED= IN_REVIEW= ACTION_REQUIRED= CONVERTED= PAYOUT_SUBMITTED= COMPLETED= ' +
  'PAYOUT_FAILED= RETURNED= REJECTED= REFUND_PENDING= REFUND_FAILED= REFUNDED= CANCELLED= EXPIRED= FROZEN=';
/** What each event does, written by hand: from → to, with `=` for a state that stays. */
const expected: Readonly<Record<OrderEvent, string>> = {
  create: 'null>AWAITING_PAYMENT',
  change_beneficiary: 'AWAITING_PAYMENT= ACTION_REQUIRED=',
  record_payment: 'AWAITING_PAYMENT= ACTION_REQUIRED=',
  complete_payment: 'AWAITING_PAYMENT>PAYMENT_RECEIVED',
  record_unapplied_payment:
    'AWAITING_PAYMENT= PAYMENT_RECEIVED= IN_REVIEW= ACTION_REQUIRED= CONVERTED= PAYOUT_SUBMITTED= COMPLETED= ' +
    'PAYOUT_FAILED= RETURNED= REJECTED= REFUND_PENDING= REFUND_FAILED= REFUNDED= CANCELLED= EXPIRED= FROZEN=',
  requote: 'AWAITING_PAYMENT= ACTION_REQUIRED=',
  refuse_requote: 'ACTION_REQUIRED>REFUND_PENDING',
  take_off_payment: 'AWAITING_PAYMENT= PAYMENT_RECEIVED>AWAITING_PAYMENT ACTION_REQUIRED>AWAITING_PAYMENT',
  reverse_payment:
    'AWAITING_PAYMENT>CANCELLED PAYMENT_RECEIVED>CANCELLED IN_REVIEW>CANCELLED ACTION_REQUIRED>CANCELLED ' +
    'CONVERTED>CANCELLED PAYOUT_FAILED>CANCELLED RETURNED>CANCELLED REJECTED>CANCELLED REFUND_PENDING>CANCELLED ' +
    'REFUND_FAILED>CANCELLED PAYOUT_SUBMITTED>CANCELLED FROZEN>CANCELLED',
  record_loss: 'PAYOUT_SUBMITTED= COMPLETED= REFUNDED=',
  record_clawback: 'REFUND_PENDING= REFUND_FAILED= IN_REVIEW= ACTION_REQUIRED= FROZEN=',
  cancel: 'AWAITING_PAYMENT>CANCELLED ACTION_REQUIRED>CANCELLED',
  cancel_and_refund:
    'AWAITING_PAYMENT>REFUND_PENDING PAYMENT_RECEIVED>REFUND_PENDING CONVERTED>REFUND_PENDING ' +
    'PAYOUT_FAILED>REFUND_PENDING RETURNED>REFUND_PENDING',
  request_cancellation: 'IN_REVIEW= ACTION_REQUIRED= FROZEN=',
  expire: 'AWAITING_PAYMENT>EXPIRED ACTION_REQUIRED>EXPIRED',
  expire_and_refund: 'AWAITING_PAYMENT>REFUND_PENDING ACTION_REQUIRED>REFUND_PENDING',
  refer:
    'AWAITING_PAYMENT>IN_REVIEW PAYMENT_RECEIVED>IN_REVIEW ACTION_REQUIRED>IN_REVIEW CONVERTED>IN_REVIEW ' +
    'PAYOUT_FAILED>IN_REVIEW RETURNED>IN_REVIEW REJECTED>IN_REVIEW REFUND_PENDING>IN_REVIEW REFUND_FAILED>IN_REVIEW ' +
    'PAYOUT_SUBMITTED>IN_REVIEW',
  approve:
    'IN_REVIEW>AWAITING_PAYMENT IN_REVIEW>PAYMENT_RECEIVED IN_REVIEW>ACTION_REQUIRED IN_REVIEW>CONVERTED ' +
    'IN_REVIEW>PAYOUT_FAILED IN_REVIEW>RETURNED IN_REVIEW>REJECTED IN_REVIEW>REFUND_PENDING IN_REVIEW>REFUND_FAILED',
  refuse: 'IN_REVIEW>REJECTED',
  close: 'IN_REVIEW>CANCELLED',
  request_information:
    'AWAITING_PAYMENT>ACTION_REQUIRED PAYMENT_RECEIVED>ACTION_REQUIRED IN_REVIEW>ACTION_REQUIRED ' +
    'PAYOUT_FAILED>ACTION_REQUIRED RETURNED>ACTION_REQUIRED',
  record_information: 'ACTION_REQUIRED=',
  provide_information:
    'ACTION_REQUIRED>AWAITING_PAYMENT ACTION_REQUIRED>PAYMENT_RECEIVED ACTION_REQUIRED>IN_REVIEW ' +
    'ACTION_REQUIRED>PAYOUT_FAILED ACTION_REQUIRED>RETURNED',
  freeze:
    'AWAITING_PAYMENT>FROZEN PAYMENT_RECEIVED>FROZEN ACTION_REQUIRED>FROZEN CONVERTED>FROZEN PAYOUT_FAILED>FROZEN ' +
    'RETURNED>FROZEN REJECTED>FROZEN REFUND_PENDING>FROZEN REFUND_FAILED>FROZEN IN_REVIEW>FROZEN ' +
    'PAYOUT_SUBMITTED>FROZEN',
  release: 'FROZEN>IN_REVIEW',
  convert: 'PAYMENT_RECEIVED>CONVERTED',
  submit_payout: 'CONVERTED>PAYOUT_SUBMITTED PAYOUT_FAILED>PAYOUT_SUBMITTED RETURNED>PAYOUT_SUBMITTED',
  complete: 'PAYOUT_SUBMITTED>COMPLETED',
  fail_payout: 'CONVERTED>PAYOUT_FAILED PAYOUT_SUBMITTED>PAYOUT_FAILED',
  record_paid_twice: inEveryState,
  prove_payout:
    'CONVERTED>COMPLETED PAYOUT_SUBMITTED>COMPLETED ACTION_REQUIRED>COMPLETED IN_REVIEW>COMPLETED FROZEN>COMPLETED ' +
    'REFUND_PENDING>COMPLETED REFUND_FAILED>COMPLETED PAYOUT_FAILED>COMPLETED RETURNED>COMPLETED',
  correct_completion: 'COMPLETED>PAYOUT_SUBMITTED',
  return: 'COMPLETED>RETURNED',
  refund:
    'REJECTED>REFUND_PENDING PAYOUT_FAILED>REFUND_PENDING RETURNED>REFUND_PENDING IN_REVIEW>REFUND_PENDING ' +
    'ACTION_REQUIRED>REFUND_PENDING FROZEN>REFUND_PENDING',
  retry_refund: 'REFUND_FAILED>REFUND_PENDING',
  update_refund: 'REFUND_PENDING= REFUND_FAILED=',
  settle_refund: 'REFUND_PENDING>REFUNDED',
  fail_refund: 'REFUND_PENDING>REFUND_FAILED REFUND_FAILED= REFUNDED>REFUND_FAILED',
  prove_refund:
    'REFUND_PENDING>REFUNDED REFUND_FAILED>REFUNDED IN_REVIEW>REFUNDED ACTION_REQUIRED>REFUNDED FROZEN>REFUNDED',
  prove_refund_part: 'REFUND_PENDING= REFUND_FAILED= IN_REVIEW= ACTION_REQUIRED= FROZEN=',
  record_overpaid_refund: inEveryState,
};

const cells = orderEvents.flatMap((event) =>
  [null, ...orderStates].map((from) => ({
    event,
    from,
    to: expected[event]
      .split(' ')
      .map((cell) => cell.replace(/^(\w+)=$/, '$1>$1').split('>'))
      .filter(([state]) => state === String(from))
      .map(([, to]) => to as OrderState),
  })),
);

describe('the table', () => {
  it('allows exactly the listed cells, and nothing in the others', () => {
    expect(cells).toHaveLength(orderEvents.length * (orderStates.length + 1));
    for (const { event, from, to } of cells) {
      const isResumed = eventRules[event].resumes !== undefined;
      const reached = isResumed
        ? orderStates.filter((state) => stateAfter(from, event, state) === state)
        : [stateAfter(from, event)].filter((state) => state !== undefined);
      expect([event, from, [...reached].sort()]).toEqual([event, from, [...to].sort()]);
    }
  });

  it('lists no cell twice', () => {
    const keys = transitions.map(({ event, from, to }) => `${event} ${from} ${to}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not resume an order that remembers nothing', () => {
    expect(stateAfter('IN_REVIEW', 'approve')).toBeUndefined();
    expect(stateAfter('IN_REVIEW', 'approve', 'COMPLETED')).toBeUndefined();
    expect(stateAfter('ACTION_REQUIRED', 'provide_information')).toBeUndefined();
  });

  it('lets only the last states be finished, and lets every other order come to one of them', () => {
    expect(orderStates.filter((state) => !isOpen(state))).toEqual(['COMPLETED', 'REFUNDED', 'CANCELLED', 'EXPIRED']);
    const reaches = (from: OrderState): boolean => {
      const seen = new Set<OrderState>([from]);
      for (const state of seen) for (const row of transitions) if (row.from === state) seen.add(row.to);
      return [...seen].some((state) => !isOpen(state));
    };
    expect(orderStates.filter((state) => !reaches(state))).toEqual([]);
  });

  it('lets nothing follow a cancelled or expired order but money that it does not take, and what was paid after all', () => {
    expect(transitions.filter(({ from }) => from === 'CANCELLED' || from === 'EXPIRED')).toEqual([
      { event: 'record_unapplied_payment', from: 'CANCELLED', to: 'CANCELLED' },
      { event: 'record_unapplied_payment', from: 'EXPIRED', to: 'EXPIRED' },
      { event: 'record_paid_twice', from: 'CANCELLED', to: 'CANCELLED' },
      { event: 'record_paid_twice', from: 'EXPIRED', to: 'EXPIRED' },
      { event: 'record_overpaid_refund', from: 'CANCELLED', to: 'CANCELLED' },
      { event: 'record_overpaid_refund', from: 'EXPIRED', to: 'EXPIRED' },
    ]);
  });

  it('says which states can be cancelled', () => {
    expect(Object.fromEntries(orderStates.map((state) => [state, cancellableIn(state)]))).toEqual({
      AWAITING_PAYMENT: 'yes',
      PAYMENT_RECEIVED: 'yes',
      IN_REVIEW: 'on_request',
      ACTION_REQUIRED: 'yes',
      CONVERTED: 'yes',
      PAYOUT_SUBMITTED: 'no',
      COMPLETED: 'no',
      PAYOUT_FAILED: 'yes',
      RETURNED: 'yes',
      REJECTED: 'no',
      REFUND_PENDING: 'no',
      REFUND_FAILED: 'no',
      REFUNDED: 'no',
      CANCELLED: 'no',
      EXPIRED: 'no',
      FROZEN: 'on_request',
    });
  });

  it('remembers where a review and a request for information began, also when one interrupts the other', () => {
    const reviewed = memoriesAfter('CONVERTED', 'refer', {});
    expect(reviewed).toEqual({ review: 'CONVERTED' });
    const asked = memoriesAfter('IN_REVIEW', 'request_information', reviewed);
    expect(asked).toEqual({ review: 'CONVERTED', information: 'IN_REVIEW' });
    expect(memoriesAfter('ACTION_REQUIRED', 'refer', asked)).toEqual(asked);
    expect(memoriesAfter('IN_REVIEW', 'freeze', reviewed)).toEqual(reviewed);
    expect(memoriesAfter('ACTION_REQUIRED', 'refer', { information: 'PAYMENT_RECEIVED' })).toEqual({
      information: 'PAYMENT_RECEIVED',
      review: 'ACTION_REQUIRED',
    });
  });

  it('decides anew about a payout that was stopped before it was sent', () => {
    expect(memoriesAfter('PAYOUT_SUBMITTED', 'refer', {})).toEqual({ review: 'CONVERTED' });
    expect(memoriesAfter('PAYOUT_SUBMITTED', 'freeze', {})).toEqual({ review: 'CONVERTED' });
  });
});

describe('a request for information', () => {
  it('replaces an earlier request within a review, so that the order is not sent in circles', () => {
    const reviewed = memoriesAfter('ACTION_REQUIRED', 'refer', { information: 'PAYMENT_RECEIVED' });
    expect(memoriesAfter('IN_REVIEW', 'request_information', reviewed)).toEqual({
      review: 'PAYMENT_RECEIVED',
      information: 'IN_REVIEW',
    });
  });
});

describe('a freeze looks like a review', () => {
  it('an order can be referred to an ordinary review wherever it can be frozen', () => {
    const froms = (event: OrderEvent) =>
      transitions.filter((row) => row.event === event && row.from !== 'IN_REVIEW').map((row) => row.from);
    expect(froms('freeze').sort()).toEqual(froms('refer').sort());
  });

  it('lets an order in review do whatever a frozen order can do in public', () => {
    const steps = (from: OrderState) =>
      transitions
        .filter((row) => row.from === from && isVisible(row.from, row.to))
        .map(({ event, to }) => `${event} ${publicState(to)}`);
    const inReview = steps('IN_REVIEW');
    expect(steps('FROZEN').filter((step) => !inReview.includes(step))).toEqual([]);
    expect(cancellableIn('FROZEN')).toBe(cancellableIn('IN_REVIEW'));
  });

  it('nobody is shown who began a review', () => {
    expect([publicActor('freeze', 'operator'), publicActor('refer', 'operator')]).toEqual([...['system', 'system']]);
    expect(publicActor('approve', 'operator')).toBe('operator');
  });

  it('the beginning and the end of a freeze within a review are not visible', () => {
    expect([isVisible('IN_REVIEW', 'FROZEN'), isVisible('FROZEN', 'IN_REVIEW')]).toEqual([false, false]);
    expect(isVisible('CONVERTED', 'FROZEN')).toBe(true);
  });

  it('the published machine does not know it', async () => {
    const { json, text } = await running.api.get('/meta/order-states', { token: running.acme.token });
    expect(text).not.toMatch(/froz|freeze|release/i);
    expect(json.states.map(({ state }: { state: string }) => state)).toEqual(publicStates);
    expect(json.transitions).toHaveLength(publicTransitions().length);
    expect(publicEvents).not.toContain('freeze');
  });
});

describe('the database', () => {
  it('allows a change between two states exactly when the table has it', async () => {
    const { id } = await placed(running, await sender(running));
    const pairs = new Set(transitions.map(({ from, to }) => `${from}>${to}`));
    const wrong: string[] = [];
    const client = await sql.connect();
    try {
      for (const from of orderStates) {
        for (const to of orderStates.filter((state) => state !== from)) {
          await client.query(`BEGIN; ${triggersOff}`);
          await client.query('UPDATE orders SET state = $2 WHERE order_id = $1', [id, from]);
          await client.query('SET LOCAL session_replication_role = origin');
          const isAllowed = await client
            .query('UPDATE orders SET state = $2, version = version + 1 WHERE order_id = $1', [id, to])
            .then(() => true)
            .catch((error) => (error.code === '23001' ? false : Promise.reject(error)));
          await client.query('ROLLBACK');
          if (isAllowed !== pairs.has(`${from}>${to}`)) wrong.push(`${from}>${to}`);
        }
      }
    } finally {
      client.release();
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['a version that is skipped', 'version = version + 2'],
    ['a change without a new version', `status_reason = 'x'`],
    ['another amount', 'amount_out_minor = amount_out_minor + 1, version = version + 1'],
    ['another user', 'user_id = user_id + 1, version = version + 1'],
    ['another external id', `external_order_id = 'y', version = version + 1`],
  ])('refuses %s', async (_, change) => {
    const { id } = await placed(running, await sender(running), { body: { metadata: { a: 'b' } } });
    await expect(sql.query(`UPDATE orders SET ${change} WHERE order_id = $1`, [id])).rejects.toMatchObject({
      code: '23001',
    });
  });

  it('refuses to delete an order, to change its timeline, and an order that does not begin at the beginning', async () => {
    const { id } = await placed(running, await sender(running));
    const texts = [
      'DELETE FROM orders WHERE order_id = $1',
      `UPDATE changes SET action = 'order.cancel' WHERE subject = 'order:' || $1::text`,
      `DELETE FROM changes WHERE subject = 'order:' || $1::text`,
    ];
    for (const text of texts) await expect(sql.query(text, [id])).rejects.toThrow();
  });
});
