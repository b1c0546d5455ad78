/** The table of attempts and what reports change: every cell in the code, and every pair of states in the database. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { merchantId, storedPublicId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import type { OrderState } from '../../src/orders/order/transitions.js';
import { type Attempt, messageIdOf, orderOfReference, referenceOf } from '../../src/payouts/attempt.js';
import { obstacleOf, type PauseKind, type Stoppable } from '../../src/payouts/pauses/pause.js';
import { type ReportKind, reportKinds } from '../../src/payouts/rail.js';
import { adviceFor, statusReasonOf } from '../../src/payouts/reports/reasons.js';
import { decideReport } from '../../src/payouts/reports/report-rules.js';
import { chooseRail } from '../../src/payouts/routing.js';
import {
  type AttemptEvent,
  type AttemptState,
  attemptEvents,
  attemptStateAfter,
  attemptStates,
} from '../../src/payouts/transitions.js';
import { manualRail } from '../../src/providers/payout/manual.js';
import { sandboxOutcomes } from '../../src/providers/payout/sandbox-outcomes.js';
import { PlayedRail, report } from './payouts.js';

/** Written by hand: from>to. */
const expected: Readonly<Record<AttemptEvent, string>> = {
  send: 'READY>SENDING UNKNOWN>SENDING',
  accept: 'READY>ACCEPTED SENDING>ACCEPTED UNKNOWN>ACCEPTED',
  pay: 'READY>PAID SENDING>PAID ACCEPTED>PAID UNKNOWN>PAID',
  reject: 'READY>REJECTED SENDING>REJECTED ACCEPTED>REJECTED UNKNOWN>REJECTED',
  return: 'SENDING>RETURNED ACCEPTED>RETURNED PAID>RETURNED UNKNOWN>RETURNED',
  recall: 'READY>RECALLED SENDING>RECALLED ACCEPTED>RECALLED UNKNOWN>RECALLED',
  lose: 'SENDING>UNKNOWN ACCEPTED>UNKNOWN',
  correct: 'PAID>ACCEPTED',
  prove: 'REJECTED>PAID RETURNED>PAID RECALLED>PAID',
};

describe('the states of an attempt', () => {
  it('change by each event as the table says, in every cell', () => {
    for (const event of attemptEvents) {
      const pairs = attemptStates.flatMap((from) => {
        const to = attemptStateAfter(from, event);
        return to === undefined ? [] : [`${from}>${to}`];
      });
      expect(pairs.join(' ')).toBe(expected[event]);
    }
  });
});

const orderId = storedPublicId('ord', 'ord_0000013J8V2T9X5B3N6H0C7D2F');

it('a reference has at most 35 characters that banks accept, and leads back to its order', () => {
  expect(referenceOf(orderId, 1)).toBe('ORD0000013J8V2T9X5B3N6H0C7D2F');
  expect(referenceOf(orderId, 2)).toBe('ORD0000013J8V2T9X5B3N6H0C7D2F-2');
  expect(referenceOf(orderId, 99_999)).toMatch(/^[A-Z0-9-]{1,35}$/);
  expect(orderOfReference('ORD0000013J8V2T9X5B3N6H0C7D2F-2')).toEqual({ merchantId: 1, orderId });
  for (const foreign of ['', 'ORD', 'INV-77', 'ORD0000003J8V2T9X5B3N6H0C7D2F', 'ORD0000013J8V2T9X5B3N6H0C7D2F-0'])
    expect(orderOfReference(foreign)).toBeUndefined();
  expect(messageIdOf(storedPublicId('att', 'att_0000013J8V2T9X5B3N6H0C7D2F'))).toHaveLength(29);
});

describe('a report', () => {
  const attempt = (state: AttemptState, direction: Attempt['direction'] = 'payout') =>
    ({ state, direction, amount: amount('MXN', 10_000n) }) as Attempt;
  const orderStateOf = (state: AttemptState): OrderState => (state === 'PAID' ? 'COMPLETED' : 'PAYOUT_SUBMITTED');
  const short = (state: AttemptState, kind: ReportKind) => {
    const decision = decideReport(attempt(state), orderStateOf(state), report(kind, 'r'), 'rail');
    return decision.outcome === 'applied' ? decision.to : decision.outcome;
  };

  it('is applied, old or contradictory in each state as this table says', () => {
    const table = Object.fromEntries(
      attemptStates.map((state) => [state, reportKinds.map((kind) => short(state, kind)).join(' ')]),
    );
    // accepted, available_for_pickup, paid, rejected, returned, recalled
    const open = 'ACCEPTED ACCEPTED PAID REJECTED RETURNED RECALLED';
    const no = 'contradictory';
    expect(table).toEqual({
      READY: Array(6).fill(no).join(' '),
      SENDING: open,
      UNKNOWN: open,
      ACCEPTED: 'old old PAID REJECTED RETURNED RECALLED',
      PAID: `old old old ${no} RETURNED ${no}`,
      REJECTED: `old old ${no} old ${no} old`,
      RETURNED: `old old ${no} ${no} old ${no}`,
      RECALLED: `old old ${no} old ${no} old`,
    });
  });

  it('is contradictory for a payment of another amount, with an impossible charge, or for an order elsewhere', () => {
    const outcome = (more: object, state: OrderState = 'PAYOUT_SUBMITTED') =>
      decideReport(attempt('ACCEPTED'), state, report('paid', 'r', more), 'rail').outcome;
    expect(outcome({ amount: amount('MXN', 10_000n) })).toBe('applied');
    expect(outcome({ amount: amount('MXN', 9_999n) })).toBe('contradictory');
    expect(outcome({ amount: amount('USD', 10_000n) })).toBe('contradictory');
    expect(outcome({ charge: amount('MXN', 10_001n) })).toBe('contradictory');
    expect(outcome({ charge: amount('USD', 1n) })).toBe('contradictory');
    expect(outcome({}, 'PAYOUT_FAILED')).toBe('contradictory');
  });

  it('tells merchants the reason that they can act on, and no other', () => {
    expect(statusReasonOf('payout', 'rejected', 'AC01')).toBe('beneficiary_account_invalid');
    expect(statusReasonOf('payout', 'rejected', 'AC04')).toBe('beneficiary_account_closed');
    expect(statusReasonOf('payout', 'returned', 'BE01')).toBe('beneficiary_name_mismatch');
    expect(statusReasonOf('payout', 'rejected', 'AC06')).toBe('beneficiary_account_closed');
    expect(statusReasonOf('payout', 'rejected', 'BE04')).toBe('beneficiary_details_incomplete');
    expect(statusReasonOf('payout', 'rejected', 'RC01')).toBe('beneficiary_bank_invalid');
    expect(statusReasonOf('payout', 'returned', 'FOCR')).toBe('beneficiary_refused');
    expect(statusReasonOf('payout', 'rejected', 'AM09')).toBe('payout_rejected');
    for (const unknown of ['constructor', 'ZZ99', 'toString'])
      expect(statusReasonOf('payout', 'rejected', unknown)).toBe('payout_rejected');
    expect(['AC04', 'TM01', 'DU03', 'RR04', 'CUST', 'ZZ99', undefined].map(adviceFor)).toEqual([
      ...['correct_beneficiary', 'retry', 'examine', 'ask_compliance', 'refund', undefined, undefined],
    ]);
    expect(statusReasonOf('payout', 'rejected', 'LEGL')).toBe('payout_rejected');
    expect(statusReasonOf('payout', 'returned', undefined)).toBe('payout_returned');
    expect(statusReasonOf('payout', 'recalled', 'AC04')).toBe('payout_recalled');
    expect(statusReasonOf('refund', 'rejected', 'AC04')).toBe('refund_rejected');
  });
});

it('docs/sandbox-values.md has every test value', () => {
  const page = readFileSync(new URL('../../docs/sandbox-values.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z][a-z]+)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(sandboxOutcomes).sort());
});

it('the first route that fits a payment and its rail is taken, and none if nothing fits', () => {
  const rails = new Map([manualRail, new PlayedRail('played', { currencies: ['PHP'] })].map((r) => [r.name, r]));
  const routes = [
    { rail: 'played', methods: 'any', currencies: 'any' },
    { rail: 'manual', methods: ['bank_account'], currencies: ['MXN', 'PHP'] },
  ] as const;
  const chosen = (currency: 'MXN' | 'PHP' | 'EUR', method: string) =>
    chooseRail(routes, rails, { direction: 'payout', amount: amount(currency, 1n), country: 'MX', method })?.name;
  expect(chosen('PHP', 'bank_account')).toBe('played');
  expect(chosen('MXN', 'bank_account')).toBe('manual');
  expect(chosen('MXN', 'cash_pickup')).toBeUndefined();
  expect(chosen('EUR', 'bank_account')).toBeUndefined();
});

it('a pause of the merchant, the corridor or the rail is an obstacle', () => {
  const payment = { rail: 'manual', merchantId: merchantId(7), fiatIn: 'USD', fiatOut: 'MXN' };
  const obstacle = (kind: PauseKind, name: string, stops: readonly Stoppable[] = ['payouts']) =>
    obstacleOf([{ kind, name, stops }], payment);
  expect(obstacle('merchant', '7')).toBe('merchant_paused');
  expect(obstacle('corridor', 'USD-MXN')).toBe('corridor_paused');
  expect(obstacle('rail', 'manual')).toBe('rail_paused');
  expect(obstacle('corridor', 'USD-PHP')).toBeUndefined();
  expect(obstacle('rail', 'sandbox')).toBeUndefined();
  expect(obstacle('everything', 'everything')).toBe('rail_paused');
  expect(obstacle('everything', 'everything', ['orders', 'quotes'])).toBeUndefined();
});
