/** A change of an order: the row, the journals, and the change in the log, all or none. */
import type { By } from '../../caller.js';
import type { NewEvent } from '../../changes/event.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import type { JournalContent, JournalDraft } from '../../ledger/journal.js';
import type { LedgerService } from '../../ledger/service.js';
import { noteForSender } from '../../mail/senders/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { GatePass } from './gate.js';
import { actionPrefix } from './history.js';
import type { Order, StatusReason } from './order.js';
import { eventRules, type OrderActor, type OrderEvent, type OrderPostings } from './order-events.js';
import { isFailedPayout, underlyingState } from './review.js';
import { digestedOrder } from './row.js';
import { type ChangedOrder, saveOrder } from './store.js';
import { isVisible, memoriesAfter, type OrderState, publicState, stateAfter } from './transitions.js';
import { newsOf } from './wire/news.js';
import { viewOfOrder } from './wire/order-view.js';

/** What a transition changes besides the state. */
export type OrderChange = Partial<
  Pick<
    Order,
    | 'statusReason'
    | 'amountReceived'
    | 'amountRefunded'
    | 'amountKept'
    | 'amountReversed'
    | 'payoutCharges'
    | 'refunds'
    | 'retriesPayout'
    | 'cancellableUntil'
    | 'actionRequiredBy'
    | 'refundDueBy'
    | 'estimatedArrivalAt'
    | 'requirements'
    | 'hasUnreadAnswers'
    | 'memories'
  >
>;

/** Events that need a `GatePass`: no other code can convert an order or pay it out. */
type GatedEvent = 'convert' | 'submit_payout';

/** A journal of an order; `reverses` names the journal that it negates. */
export type OrderJournal = JournalContent & Pick<JournalDraft, 'reverses'>;

interface MoveOf<Event extends OrderEvent> {
  readonly event: Event;
  readonly change?: OrderChange;
  /** Written with the transition, in this order. The table says which are allowed. */
  readonly journals?: readonly OrderJournal[];
}
export type Move = MoveOf<Exclude<OrderEvent, GatedEvent>>;
type AnyMove = MoveOf<OrderEvent>;

/** The job that moves orders on. */
export const advanceJob = 'orders.advance';
/** The states that the job moves orders on from. */
export const advancingStates: readonly OrderState[] = ['PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED'];
const cancellations: readonly OrderEvent[] = ['cancel', 'cancel_and_refund', 'request_cancellation'];

export class OrderTransitions {
  constructor(
    readonly ledger: LedgerService,
    /** The version of the screening lists that are loaded now. */
    readonly listsVersion: () => string,
  ) {}

  /**
   * Throws `order_transition_not_allowed` when the table does not allow the event in this state or to this actor, and
   * when the order has changed since it was read; `ledger_fault` when somebody else has changed its row in the
   * database. A journal that the table does not name is a fault of the program.
   */
  applyTransition(tx: Transaction, by: By, before: Order, move: Move): Promise<Order> {
    return this.#apply(tx, by, before, move);
  }

  /**
   * The same for an event that needs to have passed the gate. Throws `order_transition_not_allowed` also when the pass
   * is for another version of the order or of its beneficiary, the screening lists have been replaced since, or it is
   * too old.
   */
  applyGated(
    tx: Transaction,
    by: By,
    before: Order,
    move: MoveOf<GatedEvent> & { readonly pass: GatePass },
  ): Promise<Order> {
    if (!move.pass.isFor(before, this.listsVersion(), performance.now()))
      return Promise.reject(changedMeanwhile(before));
    return this.#apply(tx, by, before, move);
  }

  async #apply(tx: Transaction, by: By, before: Order, move: AnyMove): Promise<Order> {
    const { event, change = {}, journals = [] } = move;
    const to = requireAllowed(by, before, event);
    requireJournals(event, journals);
    const memories = change.memories ?? memoriesAfter(before.state, event, before.memories);
    const statusReason = reasonKept(before, { state: to, memories });
    const after = { ...before, statusReason, retriesPayout: false, ...change, state: to, memories };
    const visible = isVisible(before.state, to);
    const isCancellation = cancellations.includes(event);
    const saved = await saveOrder(tx, after, { isVisible: visible, isCancellation });
    if (!saved) throw changedMeanwhile(before);
    // The worker that converts an order goes on with it by itself.
    if (event !== 'convert' && (advancingStates.includes(to) || after.retriesPayout)) tx.wake(advanceJob);
    await this.record(tx, by, { ...saved, event, before, journals });
    return saved.order;
  }

  /**
   * Writes what belongs to a change of the row that has been made. The statements need not wait for one another. Throws
   * `ledger_fault` when somebody else has changed the row in the database.
   */
  async record(tx: Transaction, by: By, recorded: RecordedChange): Promise<void> {
    const { order, event, before, changedAt, journals = [] } = recorded;
    const from = before?.state ?? null;
    const { merchantId, userId, state: toState, version, publicVersion, statusReason } = order;
    const sealed = journals.map((content) => this.ledger.prepare(merchantId, { ...content, occurredAt: changedAt }));
    const visible = isVisible(from, toState);
    const news = newsOf(from, order);
    const asked = news === 'answer' ? publicVersion : 0;
    await Promise.all([
      news && noteForSender(tx, { merchantId, userId, orderId: order.orderId, news, asked }),
      ...sealed.map((journal) => this.ledger.write(tx, journal)),
      recordChange(tx, by, {
        merchantId,
        action: `${actionPrefix}${event}`,
        ...digestedOrder(order),
        rowBefore: before && digestedOrder(before).row,
        fromState: from,
        toState,
        details: { userId, version, ...(statusReason === undefined ? {} : { statusReason }) },
        version,
        publicVersion: visible ? publicVersion : undefined,
        event: visible ? noticeOf(order, event, from) : undefined,
        journals: sealed,
        occurredAt: changedAt,
      }),
    ]);
  }
}

export interface RecordedChange extends ChangedOrder {
  readonly event: OrderEvent;
  /** The order as it was read under its lock; undefined when it was created. */
  readonly before: Order | undefined;
  readonly journals?: readonly OrderJournal[];
}

/** Throws `order_transition_not_allowed`. Returns the state after the event. */
export function requireAllowed({ actor }: By, { state, memories }: Order, event: OrderEvent): OrderState {
  const rule = eventRules[event];
  const to = stateAfter(state, event, rule.resumes && memories[rule.resumes]);
  if (to !== undefined && rule.by.includes(actor.kind satisfies OrderActor)) return to;
  throw new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    `This is not possible for an order in the state ${publicState(state)}.`,
    { members: { orderStatus: publicState(state) } },
  );
}

/** Somebody changed the order between reading and writing. The caller reads it again. */
export function changedMeanwhile({ state }: Order): RemesaError {
  return new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    'The order has changed meanwhile. Read it again.',
    { members: { orderStatus: publicState(state) } },
  );
}

/** Why a payout failed stays the reason until the order leaves that state, whatever interrupts it. */
function reasonKept(before: Order, after: Pick<Order, 'state' | 'memories'>): StatusReason | undefined {
  const isSameFailure = underlyingState(before) === underlyingState(after) && isFailedPayout(before);
  return isSameFailure ? before.statusReason : undefined;
}

function requireJournals(event: OrderEvent, journals: readonly JournalContent[]): void {
  const allowed: readonly string[] = eventRules[event].postings ?? ([] satisfies OrderPostings[]);
  const wrong = journals.find((journal) => !allowed.includes(journal.event));
  if (wrong) throw new Error(`the event ${event} of an order does not post ${wrong.event}`);
}

/** What the merchant is told. */
function noticeOf(order: Order, event: OrderEvent, from: OrderState | null): NewEvent {
  const { state } = order;
  return {
    channel: 'order',
    type: eventTypeOf(event, from, state),
    object: viewOfOrder(order),
    previousStatus: from === null || from === state ? null : publicState(from),
  };
}

/** The type of the notification. */
export function eventTypeOf(event: OrderEvent, from: OrderState | null, to: OrderState): string {
  const { notice } = eventRules[event];
  return from === to && notice !== undefined ? notice : `order.${publicState(to).toLowerCase()}`;
}
