/** What a report changes: a pure function of the attempt, the state of its order and the report. */
import { digestOf } from '../../keys/sealing.js';
import { compare } from '../../money/amount.js';
import type { OrderState } from '../../orders/order/transitions.js';
import type { Attempt, Direction } from '../attempt.js';
import type { Report, ReportKind } from '../rail.js';
import { type AttemptEvent, type AttemptState, attemptStateAfter } from '../transitions.js';

export type Decision =
  | { readonly outcome: 'applied'; readonly event: AttemptEvent; readonly to: AttemptState }
  /** It says nothing new, or something that was overtaken. */
  | { readonly outcome: 'old' }
  /** It cannot be true together with what we know. Nothing changes and an operator looks. */
  | { readonly outcome: 'contradictory'; readonly detail: string };

/** `hand`: an operator recorded it, who may also record what the rail was never asked. */
export type ReportSource = 'rail' | 'hand';

const eventOf: Readonly<Record<ReportKind, AttemptEvent>> = {
  accepted: 'accept',
  available_for_pickup: 'accept',
  paid: 'pay',
  rejected: 'reject',
  returned: 'return',
  recalled: 'recall',
};

/** The states of an attempt in which a report says nothing new. */
const knownIn: Readonly<Record<AttemptEvent, readonly AttemptState[]>> = {
  send: [],
  accept: ['ACCEPTED', 'PAID', 'REJECTED', 'RETURNED', 'RECALLED'],
  pay: ['PAID'],
  reject: ['REJECTED', 'RECALLED'],
  return: ['RETURNED'],
  recall: ['RECALLED', 'REJECTED'],
  lose: [],
  correct: [],
  prove: [],
};

/**
 * `orderState` is undefined for money in suspense: nothing but its attempts changes a record that is being paid back.
 */
export function decideReport(
  attempt: Attempt,
  orderState: OrderState | undefined,
  report: Report,
  source: ReportSource,
): Decision {
  const event = eventOf[report.kind];
  const { state, amount } = attempt;
  if (knownIn[event].includes(state)) return { outcome: 'old' };
  if (state === 'READY' && source === 'rail') return contradiction('it was not sent yet');
  const to = attemptStateAfter(state, event);
  if (to === undefined) return contradiction(`the attempt is ${state}`);
  if (report.amount && !isSame(report.amount, amount) && report.kind === 'paid')
    return contradiction('the amount is another');
  const charge = report.charge;
  if (charge && (charge.currency !== amount.currency || charge.minor > amount.minor || charge.minor < 0n))
    return contradiction('the charge is impossible');
  const needed = orderStatesFor(attempt.direction, state, event);
  if (needed !== undefined && orderState !== undefined && !needed.includes(orderState))
    return contradiction(`the order is ${orderState}`);
  return { outcome: 'applied', event, to };
}

const longestId = 180;
const longestReference = 200;
const longestReason = 100;
const longestRaw = 100_000;

/** Rails are outside: texts are cut to what can be stored. A long id is replaced by its digest, which stays unique. */
export function boundedReport(report: Report): Report {
  const { reportId, reference, reason, raw } = report;
  return {
    ...report,
    reportId: reportId.length > longestId ? digestOf(Buffer.from(reportId)) : storable(reportId, longestId),
    reference: storable(reference, longestReference),
    ...(reason === undefined ? {} : { reason: storable(reason, longestReason) }),
    raw: raw.slice(0, longestRaw),
  };
}

/** PostgreSQL stores no NUL in a text. */
function storable(text: string, atMost: number): string {
  return text.replaceAll('\u0000', '').slice(0, atMost);
}

/** Undefined where the order does not change. */
function orderStatesFor(
  direction: Direction,
  state: AttemptState,
  event: AttemptEvent,
): readonly OrderState[] | undefined {
  if (event === 'accept') return undefined;
  if (direction === 'payout') return [state === 'PAID' ? 'COMPLETED' : 'PAYOUT_SUBMITTED'];
  // Of several refunds, others may have failed, or may still be on their way.
  const underWay: readonly OrderState[] = ['REFUND_PENDING', 'REFUND_FAILED'];
  return state === 'PAID' ? [...underWay, 'REFUNDED'] : underWay;
}

function isSame(left: Attempt['amount'], right: Attempt['amount']): boolean {
  return left.currency === right.currency && compare(left, right) === 0;
}

function contradiction(detail: string): Decision {
  return { outcome: 'contradictory', detail };
}
