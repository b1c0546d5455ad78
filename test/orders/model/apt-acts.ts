/**
 * What somebody would likely do with an order in its state, so that a story gets somewhere; the other draws try the
 * rest.
 */
import type { PayoutVerbs } from '../../payouts/worker-verbs.js';
import { proveRefund } from './correction-acts.js';
import { byMerchant, cancel, correct, erase, exactly, pay, provide } from './customer-acts.js';
import { type Draw, onOrder } from './lane.js';
import { decide } from './operator-acts.js';
import type { State } from './order-record.js';
import { happen, tell } from './rail-acts.js';
import { block, decideHit, liftBlock } from './stop-acts.js';

type Choice = (at: number) => Draw;

/** `pick` chooses among what fits the state of the order when its turn comes. */
export function apt(verbs: () => PayoutVerbs, at: number, pick: number): Draw {
  return onOrder(at, (index, { state }, _real, lane) => {
    const choices = fitting(verbs)[state];
    return choices[pick % choices.length]?.(index)(lane);
  });
}

function fitting(verbs: () => PayoutVerbs): Readonly<Record<State, readonly Choice[]>> {
  const newest: Choice = (at) => tell(verbs, at, { back: 0, suffix: '', times: 1 });
  const goes: Choice = (at) => happen(at, true);
  const fails: Choice = (at) => happen(at, false);
  const of =
    (draw: Choice): Choice =>
    (at) =>
      byMerchant(draw(at));
  const paid = of((at) => pay(at, exactly));
  const part = of((at) => pay(at, { ...exactly, minor: 2_500 }));
  const dismissed: Choice = (at) => decideHit(at, 'dismiss');
  const confirmed: Choice = (at) => decideHit(at, 'confirm');
  const proved: Choice = (at) => proveRefund(at, 0);
  const answered = of((at) => provide(at, true));
  const cancelled = of(cancel);
  const decided = (...names: Parameters<typeof decide>[1][]): Choice[] => names.map((name) => (at) => decide(at, name));
  return {
    AWAITING_PAYMENT: [paid, paid, paid, part, of((at) => correct(at, 1)), ...decided('request-information')],
    PAYMENT_RECEIVED: [...decided('refer', 'freeze', 'request-information'), block],
    CONVERTED: [cancelled, ...decided('refer', 'freeze')],
    IN_REVIEW: [
      ...decided('approve', 'approve', 'approve', 'refuse', 'freeze', 'request-information'),
      ...[dismissed, dismissed, confirmed, liftBlock, proved],
    ],
    FROZEN: [...decided('release', 'release'), cancelled, liftBlock, liftBlock, proved],
    ACTION_REQUIRED: [
      answered,
      answered,
      of((at) => provide(at, false)),
      paid,
      of((at) => correct(at, 0)),
      ...decided('freeze'),
    ],
    PAYOUT_SUBMITTED: [goes, fails, newest, newest, ...decided('refer', 'freeze')],
    COMPLETED: [fails, newest, newest, of(erase)],
    PAYOUT_FAILED: [...decided('retry-payout', 'retry-payout', 'refund', 'request-information', 'freeze'), cancelled],
    RETURNED: [...decided('retry-payout', 'retry-payout', 'refund', 'refer', 'freeze'), cancelled],
    REJECTED: decided('refer', 'freeze'),
    REFUND_PENDING: [goes, fails, newest, newest, ...decided('refer', 'freeze'), block, proved],
    REFUND_FAILED: [...decided('retry-refund', 'retry-refund', 'refer', 'freeze'), proved],
    REFUNDED: [fails, newest, of(erase)],
    CANCELLED: [paid, of(erase)],
    EXPIRED: [paid, of(erase)],
  };
}
