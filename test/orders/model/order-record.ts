/**
 * What the model knows of an order, and the changes that its verbs are made of. Plain data, so that a copy can be
 * tried.
 */
import { type Sender, senderNames } from './people.js';

export const states = [
  ...(['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'IN_REVIEW', 'ACTION_REQUIRED', 'CONVERTED'] as const),
  ...(['PAYOUT_SUBMITTED', 'COMPLETED', 'PAYOUT_FAILED', 'RETURNED', 'REJECTED', 'REFUND_PENDING'] as const),
  ...(['REFUND_FAILED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'FROZEN'] as const),
] as const;
export type State = (typeof states)[number];

export type ReportKind = 'accepted' | 'paid' | 'rejected' | 'returned';

/** What is known of a sender who was found on the list. */
export type ModelHit = 'open' | 'dismissed' | 'confirmed';

export interface ModelAttempt {
  readonly direction: 'payout' | 'refund';
  /** Which refund of the order it pays. */
  readonly refund?: number;
  /** `sent`: the rail was asked, and we know of no outcome. */
  state: 'ready' | 'sent' | 'paid' | 'rejected' | 'returned' | 'recalled';
  /** What the rail knows of it, in the order in which it happened; undefined when it never received it. */
  known: ReportKind[] | undefined;
  /** The ids of the reports that we have received: each counts once. */
  readonly reportIds: string[];
  /** A refund that was accepted is told once. */
  isAccepted?: boolean;
}

/** What the order took of one payment. A payment that it takes again keeps its number. */
export interface Taking {
  readonly number: number;
  /** Whose account it came from. */
  readonly account: string;
  readonly minor: number;
}

/** What goes back to one account. */
export interface ModelRefund {
  readonly minor: number;
  state: 'open' | 'paid' | 'failed' | 'cancelled';
}

/** What the service answers: a status with the code of a refusal, or what became of a payment. */
export type Outcome = readonly (number | string)[];
export const done: Outcome = [200];
export const refused: Outcome = [409, 'order_transition_not_allowed'];

/** What the worker knows besides the order when it moves the order on. */
export interface Surroundings {
  readonly hour: number;
  /** Operators have paused what goes to and from this merchant. */
  readonly isPaused: boolean;
  readonly listed: readonly number[];
}

const guaranteedHours = 24;
/** What is ordered. */
const orderedMinor = 10_000;

export class OrderRecord {
  state: State = 'AWAITING_PAYMENT';
  /** The account of the ledger on which we owe the money. */
  place: 'none' | 'liability' | 'payout' | 'refund' | 'frozen' = 'none';
  /** What the order is about: what was ordered, or less after it was quoted anew. */
  amountInMinor = orderedMinor;
  receivedMinor = 0;
  /** Money came, even if it was taken off again. */
  wasPaid = false;
  /** A payment left the order again. */
  wasTakenOff = false;
  refundedMinor = 0;
  isCancellationRequested = false;
  holdsLevel = true;
  isErased = false;
  /** No money came, so that nothing of the erased user was kept: operators can do nothing with the order. */
  isForgotten = false;
  /** Counts the transitions, also those that merchants do not see. */
  version = 1;
  /** What the beneficiary is to get; the quote says it. */
  amountOutMinor = 0;
  /** The types of the events so far. */
  readonly told: string[] = ['order.awaiting_payment'];
  readonly attempts: ModelAttempt[] = [];
  takings: Taking[] = [];
  takenSoFar = 0;
  refunds: ModelRefund[] = [];
  beneficiaryVersion = 1;
  review: State | undefined;
  information: State | undefined;
  /** What the sender is asked for. */
  requirements: ('purpose' | 'requote')[] = [];
  /** The sender has not accepted terms that are much worse. The order does not go on without. */
  isRequoteOpen = false;
  /** What the order was for before its last requote, as long as the money that was the reason can be taken off. */
  agreedBefore: number | undefined;
  /** The sender has answered outside a review; a person must read it before money is paid out. */
  hasUnreadAnswers = false;
  answerDueHour = 0;
  cancellableUntilHour = 0;
  frozenFrom: 'liability' | 'refund' = 'liability';
  isPaidByAnother = false;
  /** What the newest review is about: the version of a listed beneficiary, and payments by others. */
  found: { listed?: number | undefined; payer?: boolean; listedPayer?: boolean } = {};
  readonly clearedVersions: number[] = [];
  isPayerCleared = false;
  /** Somebody else on the list has paid. */
  isPaidByListed = false;
  isListedPayerCleared = false;
  /** Of the sender. */
  hit: ModelHit | undefined;
  /** Operators let the money go back in spite of a confirmed hit. */
  isHitCleared = false;
  /** The sender is on the block list. */
  isBlocked = false;
  /** The worker found the way closed, and does not look again before it is open. */
  waitsForWay = false;

  constructor(
    readonly createdHour: number,
    public beneficiary: number,
    readonly isSentFromUs: boolean,
    readonly sender: Sender,
  ) {}

  get isPaid(): boolean {
    return this.receivedMinor >= this.amountInMinor;
  }

  /** What we have of the sender's money. */
  get heldMinor(): number {
    return this.receivedMinor - this.refundedMinor;
  }

  get missingMinor(): number {
    return this.amountInMinor - this.receivedMinor;
  }

  /** Also while information is asked for, even by a reviewer. An order that is being cancelled takes nothing. */
  get isPayable(): boolean {
    if (this.state !== 'AWAITING_PAYMENT' && this.state !== 'ACTION_REQUIRED') return false;
    return this.underlying === 'AWAITING_PAYMENT' && !this.isPaid && !this.isCancellationRequested;
  }

  isLate(hour: number): boolean {
    return hour - this.createdHour >= guaranteedHours;
  }

  get senderName(): string {
    return senderNames[this.sender];
  }

  /** Nobody has decided that the sender is another than the one on the list. */
  get isHit(): boolean {
    return this.hit === 'open' || this.hit === 'confirmed';
  }

  protected endPayout(kind: ReportKind, isReturn: boolean): void {
    if (kind !== 'paid') this.place = 'payout';
    this.move(kind === 'paid' ? 'COMPLETED' : isReturn ? 'RETURNED' : 'PAYOUT_FAILED');
  }

  /** The order is refunded once every account has its money, and has failed while one has not. */
  protected endRefund(refund: ModelRefund, isRefunded: boolean): void {
    if (refund.state === 'paid') this.refundedMinor -= refund.minor;
    refund.state = isRefunded ? 'paid' : 'failed';
    if (isRefunded) this.refundedMinor += refund.minor;
    const isLast = this.refunds.every(({ state }) => state === 'paid' || state === 'cancelled');
    this.place = isLast ? 'none' : 'refund';
    if (isLast) this.move('REFUNDED');
    else if (isRefunded) this.tell('order.refund_updated');
    else if (this.state === 'REFUND_FAILED') this.tell('order.refund_failed');
    else this.move('REFUND_FAILED');
  }

  move(to: State): void {
    this.waitsForWay = false;
    const [from, shown] = [this.state, to].map((state) => (state === 'FROZEN' ? 'IN_REVIEW' : state));
    if (from !== shown) this.told.push(`order.${shown?.toLowerCase()}`);
    this.state = to;
    this.version += 1;
  }

  /** Something changed, and the state is the same. */
  tell(type: string): void {
    this.waitsForWay = false;
    this.told.push(type);
    this.version += 1;
  }

  protected convert(): void {
    this.place = 'payout';
    this.move('CONVERTED');
  }

  protected payOut(): void {
    this.place = 'none';
    this.move('PAYOUT_SUBMITTED');
    this.addAttempt('payout');
  }

  protected sendRefunds(refunds: readonly ModelRefund[]): void {
    for (const refund of refunds) {
      refund.state = 'open';
      this.addAttempt('refund', this.refunds.indexOf(refund));
    }
  }

  protected addAttempt(direction: ModelAttempt['direction'], refund?: number): void {
    this.attempts.push({
      direction,
      ...(refund === undefined ? {} : { refund }),
      state: 'ready',
      known: undefined,
      reportIds: [],
    });
  }

  /** A refund waits while another one is on its way: which of them ends first is not known. */
  get mayBeSentBesides(): boolean {
    const refunds = this.attempts.filter(({ direction }) => direction === 'refund');
    return refunds.some(({ state }) => state === 'sent') && refunds.some(({ state }) => state === 'ready');
  }

  /** False when the payout or a refund may have left. */
  protected withdrawUnsent(): boolean {
    if (this.state !== 'REFUND_PENDING' && this.state !== 'REFUND_FAILED' && this.state !== 'PAYOUT_SUBMITTED')
      return true;
    const isPaidOut = this.state === 'PAYOUT_SUBMITTED';
    const attempts = this.attempts.filter(({ direction }) => direction === (isPaidOut ? 'payout' : 'refund'));
    const isPossible = isPaidOut ? attempts.at(-1)?.state === 'ready' : attempts.every(({ state }) => state !== 'sent');
    if (!isPossible) return false;
    for (const attempt of attempts) if (attempt.state === 'ready') attempt.state = 'recalled';
    if (isPaidOut) this.place = 'payout';
    return true;
  }

  protected beginReview(found: OrderRecord['found']): void {
    this.found = found;
    this.rememberReview();
    this.move('IN_REVIEW');
  }

  protected rememberReview(): void {
    if (!this.isUnderReview) this.review = this.state === 'PAYOUT_SUBMITTED' ? 'CONVERTED' : this.state;
  }

  get isUnderReview(): boolean {
    if (this.state === 'ACTION_REQUIRED') return this.information === 'IN_REVIEW';
    return this.state === 'IN_REVIEW' || this.state === 'FROZEN';
  }

  /** Where the order would be if nothing interrupted it. */
  get underlying(): State | undefined {
    if (this.state === 'ACTION_REQUIRED') return this.information === 'IN_REVIEW' ? this.review : this.information;
    if (this.state !== 'IN_REVIEW' && this.state !== 'FROZEN') return this.state;
    return this.review === 'ACTION_REQUIRED' ? this.information : this.review;
  }
}
