/**
 * Every step that an order can take, with its journals, by a small set of books that is kept apart from the code: it
 * knows on which account the order's money is.
 */
import type { By } from '../../src/caller.js';
import { operatorId } from '../../src/ids.js';
import { type JournalContent, negated } from '../../src/ledger/journal.js';
import * as book from '../../src/ledger/postings.js';
import { type Amount, add, amount, isZero, subtract } from '../../src/money/amount.js';
import type { Order } from '../../src/orders/order/order.js';
import { eventRules, type OrderEvent } from '../../src/orders/order/order-events.js';
import type { Move, OrderChange } from '../../src/orders/order/transition.js';
import { type OrderState, stateAfter, transitions } from '../../src/orders/order/transitions.js';

/** Where the order's money is. A freeze remembers where it came from. */
export interface Books {
  readonly place: 'liability' | 'payout' | 'refund' | 'frozen' | 'none';
  readonly frozenFrom?: 'liability' | 'refund';
}

/** Also what needs to have passed the gate: here the table is tested, not the gate. */
export type AnyMove = Omit<Move, 'event'> & { readonly event: OrderEvent };

export interface Step {
  readonly move: AnyMove;
  readonly books: Books;
}

type Walker = Pick<
  Order,
  | ('orderId' | 'state' | 'memories' | 'amountIn' | 'amountOut' | 'fee' | 'midRate' | 'marginBasisPoints')
  | ('amountReceived' | 'amountRefunded' | 'amountKept' | 'amountReversed')
>;

const rail = 'test';
const bank = 'main';
const movement = 'pay_1';

/** All steps that are possible now. */
export function stepsFrom(order: Walker, books: Books): Step[] {
  const events = transitions.filter(({ from }) => from === order.state).map(({ event }) => event);
  return [...new Set(events)].flatMap((event) => {
    const { resumes } = eventRules[event];
    if (stateAfter(order.state, event, resumes && order.memories[resumes]) === undefined) return [];
    const step = stepOf(event, order, books);
    return step ? [{ ...step, move: { event, ...step.move } }] : [];
  });
}

interface Content {
  readonly move: { readonly change?: OrderChange; readonly journals?: readonly JournalContent[] };
  readonly books: Books;
}

type Rule = (order: Walker, books: Books) => Content | undefined;

const stays: Rule = (_, books) => ({ move: {}, books });
const never: Rule = () => undefined;
/** The rule for an order that money came for. */
const funded =
  (rule: Rule): Rule =>
  (order, books) =>
    isZero(order.amountReceived) ? undefined : rule(order, books);
const unfundedEnd: Rule = ({ amountReceived }) =>
  isZero(amountReceived) ? { move: {}, books: { place: 'none' } } : undefined;

/** Events that are not listed change nothing but the state. */
const rules: Partial<Record<OrderEvent, Rule>> = {
  create: never,
  change_beneficiary: never,
  // The terms are written by a statement of their own.
  requote: never,
  record_payment: (order, books) => paying(order, books, missingOf(order).minor / 2n),
  complete_payment: (order, books) => paying(order, books, missingOf(order).minor),
  take_off_payment: funded(({ orderId, amountReceived, state, memories }, books) => {
    // While the sender is asked, only an order that was paid late and waits for nothing but the answer about its terms.
    if (books.place !== 'liability') return undefined;
    if (state === 'ACTION_REQUIRED' && memories.information !== 'PAYMENT_RECEIVED') return undefined;
    return {
      move: {
        change: { amountReceived: zeroOf(amountReceived) },
        journals: [reversal('payment_taken_off', book.paymentReceived(movement, orderId, amountReceived))],
      },
      books,
    };
  }),
  cancel: unfundedEnd,
  close: unfundedEnd,
  expire: unfundedEnd,
  expire_and_refund: funded((order, books) => (books.place === 'liability' ? refunding(order, books) : undefined)),
  refuse_requote: funded((order, books) => (books.place === 'liability' ? refunding(order, books) : undefined)),
  cancel_and_refund: funded(refunding),
  refund: funded(refunding),
  reverse_payment: funded(clawingBack),
  record_loss: (order, books) =>
    isZero(order.amountReversed)
      ? {
          move: {
            change: { amountReversed: order.amountReceived },
            journals: [clawback(order, 'writeoff')],
          },
          books,
        }
      : undefined,
  // The walk has one payment.
  record_clawback: never,
  record_paid_twice: ({ orderId, amountOut }, books) => ({
    move: { journals: [book.paidTwice(orderId, rail, amountOut)] },
    books,
  }),
  approve: approving,
  refer: (order, books) =>
    order.state === 'PAYOUT_SUBMITTED' ? moving('payout', ...withdrawn(order)) : stays(order, books),
  // Money that is on its way back already cannot be refused again.
  refuse: (order, books) => (books.place === 'refund' ? undefined : stays(order, books)),
  freeze: freezing,
  release: releasing,
  convert: (order) => moving('payout', book.converted(order.orderId, order)),
  submit_payout: submitting,
  prove_payout: provingPayout,
  fail_payout: (order, books) =>
    books.place === 'payout'
      ? stays(order, books)
      : moving('payout', book.payoutFailed(order.orderId, rail, order.amountOut)),
  return: ({ orderId, amountOut }) =>
    moving('payout', book.payoutReturned(orderId, { rail }, amountOut, amount(amountOut.currency, 1n))),
  settle_refund: (order) =>
    isZero(owedTo(order))
      ? undefined
      : {
          move: {
            change: { amountRefunded: add(order.amountRefunded, owedTo(order)) },
            journals: [book.refunded(order.orderId, bank, owedTo(order))],
          },
          books: { place: 'none' },
        },
  fail_refund: (order, books) => (books.place === 'refund' ? stays(order, books) : bouncing(order)),
  prove_refund: provingRefund,
  prove_refund_part: never,
  record_overpaid_refund: ({ orderId, amountIn }, books) => ({
    move: { journals: [book.refundOverpaid(orderId, bank, amountIn)] },
    books,
  }),
};

function stepOf(event: OrderEvent, order: Walker, books: Books): Content | undefined {
  return (rules[event] ?? stays)(order, books);
}

function moving(place: Books['place'], ...journals: readonly JournalContent[]): Content {
  return { move: { journals }, books: { place } };
}

const convertedStates: readonly (OrderState | undefined)[] = ['CONVERTED', 'PAYOUT_FAILED', 'RETURNED'];

/** An order whose conversion a freeze has reversed is converted again, where the table provides for it. */
function approving(order: Walker, books: Books): Content | undefined {
  const { review, information } = order.memories;
  const resumes = review === 'ACTION_REQUIRED' ? information : review;
  if (!convertedStates.includes(resumes) || books.place === 'payout') return stays(order, books);
  const isProvidedFor = eventRules.approve.postings?.includes('converted') ?? false;
  return isProvidedFor ? moving('payout', book.converted(order.orderId, order)) : undefined;
}

/** Where the money is converted, or was before a freeze. What else is undone before is tested with the payouts. */
function provingPayout(order: Walker, { place, frozenFrom }: Books): Content | undefined {
  const { orderId, state, amountOut, memories } = order;
  const undone = reversal('payout_failure_reversed', book.payoutFailed(orderId, rail, amountOut));
  if (place === 'payout') return state === 'CONVERTED' ? undefined : moving('none', undone);
  const isFailed = memories.review === 'PAYOUT_FAILED' || memories.review === 'RETURNED';
  if (state !== 'FROZEN' || frozenFrom !== 'liability' || !isFailed) return undefined;
  const released = reversal('released', book.frozen(orderId, 'liability', heldAt('liability', order)));
  return moving('none', released, book.converted(orderId, order), undone);
}

function submitting({ orderId, amountOut }: Walker): Content {
  return moving('none', book.payoutSubmitted(orderId, rail, amountOut));
}

function bouncing(order: Walker): Content {
  const { orderId, amountRefunded: returned } = order;
  const change = { amountRefunded: zeroOf(returned) };
  const recovered = subtract(returned, owedTo({ ...order, ...change }));
  return {
    move: { change, journals: [book.refundReturned(movement, orderId, returned, recovered)] },
    books: { place: 'refund' },
  };
}

function provingRefund(order: Walker, { place, frozenFrom }: Books): Content | undefined {
  const isFrozen = place === 'frozen' && frozenFrom === 'refund';
  const { orderId, amountRefunded } = order;
  const owed = owedTo(order);
  if (isZero(owed) || (place !== 'refund' && !isFrozen)) return undefined;
  const released = isFrozen ? [reversal('released', book.frozen(orderId, 'refund', owed))] : [];
  return {
    move: {
      change: { amountRefunded: add(amountRefunded, owed) },
      journals: [...released, book.refunded(orderId, bank, owed)],
    },
    books: { place: 'none' },
  };
}

function paying({ orderId, amountReceived }: Walker, books: Books, minor: bigint): Content | undefined {
  if (books.place !== 'liability' || minor <= 0n) return undefined;
  const { currency } = amountReceived;
  return {
    move: {
      change: { amountReceived: amount(currency, amountReceived.minor + minor) },
      journals: [book.paymentReceived(movement, orderId, amount(currency, minor))],
    },
    books,
  };
}

function zeroOf({ currency }: Amount): Amount {
  return amount(currency, 0n);
}

function missingOf({ amountIn, amountReceived }: Walker): Amount {
  return subtract(amountIn, amountReceived);
}

/** What the books have of the payment. */
function bookedOf({ amountReceived, amountRefunded, amountKept }: Walker): Amount {
  return subtract(subtract(amountReceived, amountRefunded), amountKept);
}

/** What is due to the payer: a bank may have taken back what the books still have, or more. */
function owedTo(order: Walker): Amount {
  const { currency, minor } = subtract(bookedOf(order), order.amountReversed);
  return amount(currency, minor > 0n ? minor : 0n);
}

function heldAt(place: 'liability' | 'refund', order: Walker): Amount {
  return place === 'refund' ? owedTo(order) : bookedOf(order);
}

function reversal(event: string, { postings }: JournalContent): JournalContent {
  return { event, postings: negated(postings) };
}

function unconverted(order: Walker, { place }: Books): JournalContent[] {
  return place === 'payout' ? [reversal('conversion_reversed', book.converted(order.orderId, order))] : [];
}

/** Charges are kept of a payout that failed or came back, and never after a review. */
function isUndelivered({ state }: Walker): boolean {
  return state === 'PAYOUT_FAILED' || state === 'RETURNED';
}

/** A part is kept where the amount is odd enough for it; what a bank took back meanwhile is recovered. */
function refunding(order: Walker, books: Books): Content | undefined {
  const { frozenFrom } = books;
  const { orderId } = order;
  const owed = owedTo(order);
  if (isZero(owed)) return undefined;
  const released =
    books.place === 'frozen' && frozenFrom
      ? [reversal('released', book.frozen(orderId, frozenFrom, heldAt(frozenFrom, order)))]
      : [];
  const isDue = (books.place === 'frozen' ? frozenFrom : books.place) !== 'refund';
  const kept = amount(owed.currency, isDue && owed.minor > 100n && isUndelivered(order) ? 7n : 0n);
  const due = isDue ? [...recovered(order), book.refundDue(orderId, owed, { amount: kept, as: 'charges' })] : [];
  const journals = [...unconverted(order, books), ...released, ...due];
  const change = { amountKept: add(order.amountKept, kept) };
  return { move: { change, journals }, books: { place: 'refund' } };
}

function recovered(order: Walker): JournalContent[] {
  const loss = subtract(bookedOf(order), owedTo(order));
  return isZero(loss) ? [] : [book.lossRecovered(order.orderId, loss)];
}

function clawback(order: Walker, from: 'liability' | 'refund' | 'frozen' | 'writeoff'): JournalContent {
  const taken = from === 'writeoff' ? order.amountReceived : owedTo(order);
  return book.clawback(movement, order.orderId, from, { taken, bank });
}

function clawingBack(order: Walker, books: Books): Content | undefined {
  const isLost = !isZero(order.amountReversed);
  if (isLost && (books.place === 'frozen' || order.state === 'PAYOUT_SUBMITTED')) return undefined;
  const stopped = withdrawn(order);
  const place = stopped.length > 0 ? 'payout' : books.place;
  const from = books.place === 'refund' || books.place === 'frozen' ? books.place : 'liability';
  const ending = isLost ? (from === 'refund' ? [] : recovered(order)) : [clawback(order, from)];
  const journals = [...stopped, ...unconverted(order, { ...books, place }), ...ending];
  const change = isLost ? {} : { amountReversed: owedTo(order) };
  return { move: { change, journals }, books: { place: 'none' } };
}

function freezing(order: Walker, books: Books): Content | undefined {
  const frozenFrom = books.place === 'refund' ? 'refund' : 'liability';
  const held = heldAt(frozenFrom, order);
  if (isZero(held)) return undefined;
  const stopped = withdrawn(order);
  const place = stopped.length > 0 ? 'payout' : books.place;
  const journals = [...stopped, ...unconverted(order, { place }), book.frozen(order.orderId, frozenFrom, held)];
  return { move: { journals }, books: { place: 'frozen', frozenFrom } };
}

/** A payout is stopped only before it is sent. */
function withdrawn({ orderId, state, amountOut }: Walker): JournalContent[] {
  return state === 'PAYOUT_SUBMITTED' ? [book.payoutWithdrawn(orderId, rail, amountOut)] : [];
}

function releasing(order: Walker, { frozenFrom }: Books): Content | undefined {
  if (!frozenFrom) return undefined;
  const held = heldAt(frozenFrom, order);
  const journals = [reversal('released', book.frozen(order.orderId, frozenFrom, held))];
  return { move: { journals }, books: { place: frozenFrom } };
}

/** An operator, or the service where no operator may cause the event. */
export function actorOf(event: OrderEvent): By {
  return eventRules[event].by.includes('operator')
    ? { actor: { kind: 'operator', operatorId: operatorId(1), role: 'admin' } }
    : { actor: { kind: 'system', name: 'test' } };
}
