/** A change of an order: the row, its timeline, the journals, the audit entry and the event, all or none. */
import { actorId } from '../audit/audit.js';
import { recordAudits } from '../audit/service.js';
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Journal, JournalContent, JournalDraft } from '../ledger/journal.js';
import type { LedgerService } from '../ledger/service.js';
import type { Transaction } from '../postgres/statement.js';
import { recordEvents } from '../webhooks/service.js';
import type { GatePass } from './gate/gate.js';
import type { Order } from './order.js';
import { eventRules, type OrderActor, type OrderEvent, type OrderPostings } from './order-events.js';
import { viewOfOrder } from './order-view.js';
import { type ChangedOrder, saveOrder, saveSteps } from './store.js';
import { addTimeline } from './timeline/store.js';
import { isVisible, memoriesAfter, type OrderState, publicState, stateAfter } from './transitions.js';

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
    | 'memories'
  >
>;

/** Events that need a `GatePass`: no other code can convert an order or pay it out. */
type GatedEvent = 'convert' | 'submit_payout';

/** A journal of an order; `reverses` names the journal that it negates. */
export type OrderJournal = JournalContent & Pick<JournalDraft, 'reverses'>;

export interface Move {
  readonly event: Exclude<OrderEvent, GatedEvent>;
  readonly change?: OrderChange;
  /** Written with the transition, in this order. The table says which are allowed. */
  readonly journals?: readonly OrderJournal[];
  /** Writes rows of other tables that belong to the change, with the order as it is then. */
  readonly alongside?: (order: Order) => Promise<unknown>;
}

/** An order that has passed the gate, and what its step writes. */
export interface GatedStep {
  readonly before: Order;
  readonly pass: GatePass;
  readonly change?: Pick<OrderChange, 'estimatedArrivalAt'>;
  readonly journals: readonly OrderJournal[];
}

interface GatedMove<Step extends GatedStep> {
  readonly event: GatedEvent;
  /** Of one merchant, in one state. */
  readonly steps: readonly Step[];
  /** As in `Move`, for all orders that were moved, each with its step. */
  readonly alongside?: (moved: readonly { order: Order; step: Step }[]) => Promise<unknown>;
}

/** The job that moves orders on. */
export const advanceJob = 'orders.advance';
/** The states that the job moves orders on from. */
export const advancingStates: readonly OrderState[] = [
  'PAYMENT_RECEIVED',
  'CONVERTED',
  'REJECTED',
  'ACTION_REQUIRED',
];
const cancellations: readonly OrderEvent[] = ['cancel', 'cancel_and_refund', 'request_cancellation'];

export class OrderTransitions {
  constructor(
    readonly ledger: LedgerService,
    /** The version of the screening lists that are loaded now. */
    readonly listsVersion: () => string,
  ) {}

  /**
   * Throws `order_transition_not_allowed` when the table does not allow the event in this state or to this actor, and
   * when the order has changed since it was read. A journal that the table does not name is a fault of the program.
   */
  async applyTransition(tx: Transaction, by: By, before: Order, move: Move): Promise<Order> {
    const { event, change = {}, journals = [], alongside } = move;
    const to = requireAllowed(by, before, event);
    requireJournals(event, journals);
    const after = {
      ...before,
      statusReason: undefined,
      retriesPayout: false,
      ...change,
      state: to,
      memories: change.memories ?? memoriesAfter(before.state, event, before.memories),
    };
    const visible = isVisible(before.state, to);
    const isCancellation = cancellations.includes(event);
    const saved = await saveOrder(tx, after, { isVisible: visible, isCancellation });
    if (!saved) throw changedMeanwhile(before);
    if (advancingStates.includes(to) || after.retriesPayout) tx.wake(advanceJob);
    const recorded = { ...saved, event, from: before.state, journals };
    await Promise.all([this.record(tx, by, recorded), alongside?.(saved.order)]);
    return saved.order;
  }

  /**
   * The same for an event that needs to have passed the gate, for several orders with one statement for each table. Returns
   * the orders that were moved. Left out are those that have changed since they were read, and those whose pass is for another
   * version of the order or of its beneficiary, is too old, or was made before the screening lists were replaced.
   */
  async applyGated<Step extends GatedStep>(
    tx: Transaction,
    by: By,
    { event, steps, alongside }: GatedMove<Step>,
  ): Promise<Order[]> {
    const valid = steps.filter(({ before, pass }) =>
      pass.isFor(before, this.listsVersion(), performance.now()),
    );
    const [first] = valid;
    if (!first) return [];
    const { merchantId, state: from } = first.before;
    if (valid.some(({ before }) => before.merchantId !== merchantId || before.state !== from))
      throw new Error('orders that make a step together are of one merchant and in one state');
    const to = requireAllowed(by, first.before, event);
    for (const { journals } of valid) requireJournals(event, journals);
    const after = valid.map(({ before, change }) => ({
      ...{ ...before, statusReason: undefined, retriesPayout: false },
      ...change,
    }));
    const saved = await saveSteps(tx, merchantId, to, after);
    const stepOf = new Map(valid.map((step) => [step.before.orderId, step]));
    const moved = saved.flatMap(({ order }) => {
      const step = stepOf.get(order.orderId);
      return step ? [{ order, step }] : [];
    });
    const [{ changedAt } = { changedAt: undefined }] = saved;
    if (!changedAt) return [];
    // Nobody is woken: the worker that converts orders goes on with them by itself.
    const changes = moved.map(({ order, step }) => ({ order, journals: step.journals }));
    await Promise.all([this.#recordAll(tx, by, { event, from, changedAt, changes }), alongside?.(moved)]);
    return moved.map(({ order }) => order);
  }

  /** Writes what belongs to a change of the row that has been made. */
  record(tx: Transaction, by: By, recorded: RecordedChange): Promise<void> {
    const { order, journals = [] } = recorded;
    return this.#recordAll(tx, by, { ...recorded, changes: [{ order, journals }] });
  }

  /** The statements need not wait for one another. */
  async #recordAll(tx: Transaction, by: By, recorded: SameChange): Promise<void> {
    const { changes, changedAt } = recorded;
    const [first] = changes;
    if (!first) return;
    const { merchantId } = first.order;
    const prepared = changes.map(({ order, journals }) => ({
      order,
      journals: journals.map((content) =>
        this.ledger.prepare(merchantId, { ...content, occurredAt: changedAt }),
      ),
    }));
    await Promise.all([
      this.ledger.write(
        tx,
        merchantId,
        prepared.flatMap(({ journals }) => journals),
      ),
      addEntries(tx, by, recorded, prepared),
      audit(tx, by, recorded, first.order),
      announce(tx, recorded, first.order),
    ]);
  }
}

interface Change {
  readonly event: OrderEvent;
  /** Null when the order was created. */
  readonly from: OrderState | null;
  /** By the merchant's clock. */
  readonly changedAt: Date;
}

export interface RecordedChange extends ChangedOrder, Change {
  readonly journals?: readonly OrderJournal[];
}

/** The same change of several orders of one merchant, which are all in the same state now, for the same reason. */
interface SameChange extends Change {
  readonly changes: readonly { readonly order: Order; readonly journals: readonly OrderJournal[] }[];
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

function requireJournals(event: OrderEvent, journals: readonly JournalContent[]): void {
  const allowed: readonly string[] = eventRules[event].postings ?? ([] satisfies OrderPostings[]);
  const wrong = journals.find((journal) => !allowed.includes(journal.event));
  if (wrong) throw new Error(`the event ${event} of an order does not post ${wrong.event}`);
}

function addEntries(
  tx: Transaction,
  { actor }: By,
  { event, from, changedAt }: Change,
  changes: readonly { readonly order: Order; readonly journals: readonly Journal[] }[],
): Promise<void> {
  const [first] = changes;
  if (!first) return Promise.resolve();
  const { merchantId, state: to, statusReason } = first.order;
  const entry = { event, from, to, statusReason, occurredAt: changedAt };
  const orders = changes.map(({ order, journals }) => ({
    orderId: order.orderId,
    version: order.version,
    publicVersion: isVisible(from, to) ? order.publicVersion : undefined,
    journalIds: journals.map(({ journalId }) => journalId),
  }));
  return addTimeline(tx, merchantId, { ...entry, actorKind: actor.kind, actorId: actorId(actor) }, orders);
}

function audit(
  tx: Transaction,
  { actor, requestId }: By,
  { event, from, changes }: SameChange,
  first: Order,
) {
  const shared = {
    actor,
    ...(requestId === undefined ? {} : { requestId }),
    action: `order.${event}`,
    ...(from === null ? {} : { fromState: from }),
    toState: first.state,
  };
  const entries = changes.map(({ order: { orderId, userId, version } }) => ({
    subject: `order:${orderId}`,
    details: { userId, version },
  }));
  return recordAudits(tx, first.merchantId, shared, entries);
}

/** Nothing is announced about a freeze that begins or ends during a review. */
async function announce(tx: Transaction, { event, from, changes }: SameChange, first: Order): Promise<void> {
  const { merchantId, state } = first;
  if (!isVisible(from, state)) return;
  const previousStatus = from === null || from === state ? null : publicState(from);
  await recordEvents(
    tx,
    { merchantId, channel: 'order', type: eventTypeOf(event, from, state), previousStatus },
    changes.map(({ order }) => ({ subject: order.orderId, object: viewOfOrder(order) })),
  );
}

/** The type of the notification. */
export function eventTypeOf(event: OrderEvent, from: OrderState | null, to: OrderState): string {
  const { notice } = eventRules[event];
  return from === to && notice !== undefined ? notice : `order.${publicState(to).toLowerCase()}`;
}
