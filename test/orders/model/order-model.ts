/**
 * A small model of an order, written from the design and without the code of the service: its state, where its money is, and
 * what its merchant was told. Each verb changes the model and returns the answer that the service must give. Plain data, so
 * that a copy can be tried.
 */

export const states = [
  ...(['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'IN_REVIEW', 'ACTION_REQUIRED', 'CONVERTED'] as const),
  ...(['PAYOUT_SUBMITTED', 'COMPLETED', 'PAYOUT_FAILED', 'RETURNED', 'REJECTED', 'REFUND_PENDING'] as const),
  ...(['REFUND_FAILED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'FROZEN'] as const),
] as const;
export type State = (typeof states)[number];

export type ReportKind = 'accepted' | 'paid' | 'rejected' | 'returned';

export interface ModelAttempt {
  readonly direction: 'payout' | 'refund';
  /** `sent`: the rail was asked, and we know of no outcome. */
  state: 'ready' | 'sent' | 'paid' | 'rejected' | 'returned' | 'recalled';
  /** What the rail knows of it, in the order in which it happened; undefined when it never received it. */
  known: ReportKind[] | undefined;
  /** A refund that was accepted is told once. */
  isAccepted?: boolean;
}

/** What the service answers: a status with the code of a refusal, or what became of a payment. */
export type Outcome = readonly (number | string)[];
export const done: Outcome = [200];
export const refused: Outcome = [409, 'order_transition_not_allowed'];

/** What the worker knows besides the order when it moves the order on. */
export interface Surroundings {
  readonly hour: number;
  readonly listed: readonly number[];
}

const holdingMoney: readonly State[] = [
  ...(['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'ACTION_REQUIRED', 'CONVERTED', 'PAYOUT_FAILED'] as const),
  ...(['RETURNED', 'REJECTED', 'REFUND_PENDING', 'REFUND_FAILED'] as const),
];
const askable: readonly State[] = [
  ...(['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'IN_REVIEW', 'PAYOUT_FAILED', 'RETURNED'] as const),
];
const finished: readonly State[] = ['COMPLETED', 'REFUNDED', 'CANCELLED', 'EXPIRED'];
const afterConversion: readonly (State | undefined)[] = ['CONVERTED', 'PAYOUT_FAILED', 'RETURNED'];
const goingBack: readonly (State | undefined)[] = ['REJECTED', 'REFUND_PENDING', 'REFUND_FAILED'];
const guaranteedHours = 24;
const expiresAfterHours = 96;
const answerWithinHours = 7 * 24;
/** 12 CFR 1005.34: half an hour after the payment. */
const cancellationRightHours = 0.5;

export const amountInMinor = 10_000;

export class ModelOrder {
  state: State = 'AWAITING_PAYMENT';
  /** The account of the ledger on which we owe the money. */
  place: 'none' | 'liability' | 'payout' | 'refund' | 'frozen' = 'none';
  isPaid = false;
  isRefunded = false;
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
  beneficiaryVersion = 1;
  review: State | undefined;
  information: State | undefined;
  answerDueHour = 0;
  cancellableUntilHour = 0;
  frozenFrom: 'liability' | 'refund' = 'liability';
  isPaidByAnother = false;
  /** What the newest review is about: the version of a listed beneficiary, and a payment by somebody else. */
  found: { listed?: number | undefined; payer?: boolean } = {};
  readonly clearedVersions: number[] = [];
  isPayerCleared = false;

  constructor(
    readonly createdHour: number,
    public beneficiary: number,
    readonly isSentFromUs: boolean,
  ) {}

  clone(): ModelOrder {
    const { createdHour, beneficiary, isSentFromUs } = this;
    return Object.assign(
      new ModelOrder(createdHour, beneficiary, isSentFromUs),
      structuredClone({ ...this }),
    );
  }

  /** Returns what becomes of the payment. */
  pay(hour: number, amount: 'exact' | 'short' | 'over', isByAnother: boolean): Outcome {
    if (this.state === 'CANCELLED') return ['order_cancelled'];
    if (this.state === 'EXPIRED') return ['order_expired'];
    const isAsked = this.state === 'ACTION_REQUIRED' && this.information !== 'IN_REVIEW';
    if (this.isPaid || (this.state !== 'AWAITING_PAYMENT' && !isAsked))
      return [this.isPaid && amount === 'exact' ? 'duplicate' : 'order_not_payable'];
    if (hour - this.createdHour >= guaranteedHours) return ['late'];
    if (amount !== 'exact') return [amount];
    this.isPaidByAnother = isByAnother;
    this.isPaid = true;
    this.place = 'liability';
    if (this.isSentFromUs) this.cancellableUntilHour = hour + cancellationRightHours;
    this.#move('PAYMENT_RECEIVED');
    return ['applied'];
  }

  cancel(): Outcome {
    if (this.isCancellationRequested) return done;
    const waits: readonly State[] = ['IN_REVIEW', 'ACTION_REQUIRED', 'FROZEN'];
    const atOnce: readonly State[] = this.isPaid
      ? ['PAYMENT_RECEIVED', 'CONVERTED', 'PAYOUT_FAILED', 'RETURNED']
      : ['AWAITING_PAYMENT', 'ACTION_REQUIRED'];
    if (atOnce.includes(this.state)) {
      if (this.isPaid) this.#openRefund();
      else this.#move('CANCELLED');
    } else if (waits.includes(this.state)) this.#tell('order.cancellation_requested');
    else return [409, 'order_not_cancellable'];
    this.isCancellationRequested = true;
    return done;
  }

  correct(beneficiary: number): Outcome {
    if (this.state !== 'AWAITING_PAYMENT' && this.state !== 'ACTION_REQUIRED') return refused;
    if (beneficiary === this.beneficiary) return done;
    this.beneficiary = beneficiary;
    this.beneficiaryVersion += 1;
    this.#tell('order.beneficiary_changed');
    return done;
  }

  refer(): Outcome {
    const isPossible = holdingMoney.includes(this.state) && this.isPaid && !this.isRefunded;
    if (!isPossible || !this.#withdrawRefund()) return refused;
    this.#beginReview({});
    return done;
  }

  freeze(): Outcome {
    const isPossible = holdingMoney.includes(this.state) || this.state === 'IN_REVIEW';
    if (!isPossible || !this.isPaid || this.isRefunded || !this.#withdrawRefund()) return refused;
    this.frozenFrom = this.place === 'refund' ? 'refund' : 'liability';
    this.place = 'frozen';
    if (!this.#isUnderReview()) this.found = {};
    this.#rememberReview();
    this.#move('FROZEN');
    return done;
  }

  release(): Outcome {
    if (this.state !== 'FROZEN') return refused;
    this.place = this.frozenFrom;
    this.#move('IN_REVIEW');
    return done;
  }

  /** `seen`: the version that the operator saw. */
  approve(seen: number): Outcome {
    if (this.state !== 'IN_REVIEW' || seen !== this.version) return refused;
    const resumes = this.#underlying();
    const isCancelled = this.isCancellationRequested && !goingBack.includes(resumes);
    const isPaidOut = !isCancelled && !goingBack.includes(resumes);
    if (isPaidOut && !this.holdsLevel) return [409, 'order_review_blocked'];
    if (this.found.listed !== undefined) this.clearedVersions.push(this.found.listed);
    if (this.found.payer) this.isPayerCleared = true;
    if (isCancelled && this.isPaid) {
      this.#openRefund();
      return done;
    }
    if (afterConversion.includes(resumes)) this.place = 'payout';
    this.#move(this.review as State);
    if (this.review === 'REFUND_PENDING') this.#addAttempt('refund');
    if (isCancelled) this.#move('CANCELLED');
    return done;
  }

  refuse(seen: number): Outcome {
    if (this.state !== 'IN_REVIEW' || seen !== this.version) return refused;
    if (!this.isPaid || goingBack.includes(this.#underlying())) return refused;
    this.#move('REJECTED');
    return done;
  }

  askForInformation(hour: number): Outcome {
    if (!askable.includes(this.state)) return refused;
    // The earlier request, which the review interrupted, is replaced.
    if (this.state === 'IN_REVIEW' && this.review === 'ACTION_REQUIRED') this.review = this.information;
    this.information = this.state;
    this.answerDueHour = hour + answerWithinHours;
    this.#move('ACTION_REQUIRED');
    return done;
  }

  provideInformation(): Outcome {
    if (this.state !== 'ACTION_REQUIRED') return refused;
    if (this.isCancellationRequested && this.information !== 'IN_REVIEW') return refused;
    this.#move(this.information as State);
    return done;
  }

  /** The user of the order is erased. */
  erase(): Outcome {
    if (this.isErased) return [404, 'user_not_found'];
    if (!finished.includes(this.state)) return [409, 'user_has_open_orders'];
    this.isErased = true;
    this.isForgotten = !this.isPaid;
    return done;
  }

  /** One step of the worker. False when there is nothing to do. */
  advance(around: Surroundings): boolean {
    const isCancelledRequest =
      this.state === 'ACTION_REQUIRED' && this.isCancellationRequested && this.information !== 'IN_REVIEW';
    if (this.state === 'REJECTED' || isCancelledRequest) {
      this.#openRefund();
      return true;
    }
    if (this.state !== 'PAYMENT_RECEIVED' && this.state !== 'CONVERTED') return false;
    if (this.state === 'PAYMENT_RECEIVED' && around.hour < this.cancellableUntilHour) return false;
    const found = this.#gate(around);
    if (found) this.#beginReview(found);
    else if (this.state === 'PAYMENT_RECEIVED') this.#convert();
    else this.#payOut();
    return true;
  }

  /** An operator tries a payout again that failed or came back. */
  retryPayout(seen: number, around: Surroundings): Outcome {
    if ((this.state !== 'PAYOUT_FAILED' && this.state !== 'RETURNED') || seen !== this.version)
      return refused;
    const found = this.#gate(around);
    if (found) this.#beginReview(found);
    else this.#payOut();
    return done;
  }

  expire(hour: number): void {
    const isUnpaidTooLong = this.state === 'AWAITING_PAYMENT' && hour - this.createdHour >= expiresAfterHours;
    const isSilent = this.state === 'ACTION_REQUIRED' && hour >= this.answerDueHour;
    if (!isUnpaidTooLong && !isSilent) return;
    if (isSilent && this.information === 'IN_REVIEW') this.#move('IN_REVIEW');
    else if (this.isPaid) this.#openRefund();
    else this.#move('EXPIRED');
  }

  /** What the rail says about an attempt, however often and in whatever order. What contradicts the rest changes nothing. */
  hear(attempt: ModelAttempt, kind: ReportKind): void {
    const { state, direction } = attempt;
    if (kind === 'accepted' && state === 'sent' && direction === 'refund' && !attempt.isAccepted) {
      attempt.isAccepted = true;
      this.#tell('order.refund_updated');
    }
    const isFirstOutcome = state === 'sent' && kind !== 'accepted';
    const isReturn = state === 'paid' && kind === 'returned';
    if (!isFirstOutcome && !isReturn) return;
    attempt.state = kind as 'paid' | 'rejected' | 'returned';
    if (direction === 'refund') this.#endRefund(kind === 'paid');
    else this.#endPayout(kind, isReturn);
  }

  /** Why a person must look; undefined when the order may go on. */
  #gate({ listed }: Surroundings): ModelOrder['found'] | undefined {
    const isMatched =
      listed.includes(this.beneficiary) && !this.clearedVersions.includes(this.beneficiaryVersion);
    const payer = this.isPaidByAnother && !this.isPayerCleared;
    if (!isMatched && !payer && this.holdsLevel) return undefined;
    return { listed: isMatched ? this.beneficiaryVersion : undefined, payer };
  }

  #endPayout(kind: ReportKind, isReturn: boolean): void {
    if (kind !== 'paid') this.place = 'payout';
    this.#move(kind === 'paid' ? 'COMPLETED' : isReturn ? 'RETURNED' : 'PAYOUT_FAILED');
  }

  #endRefund(isRefunded: boolean): void {
    this.isRefunded = isRefunded;
    this.place = isRefunded ? 'none' : 'refund';
    this.#move(isRefunded ? 'REFUNDED' : 'REFUND_FAILED');
  }

  #move(to: State): void {
    const [from, shown] = [this.state, to].map((state) => (state === 'FROZEN' ? 'IN_REVIEW' : state));
    if (from !== shown) this.told.push(`order.${shown?.toLowerCase()}`);
    this.state = to;
    this.version += 1;
  }

  /** Something changed, and the state is the same. */
  #tell(type: string): void {
    this.told.push(type);
    this.version += 1;
  }

  #convert(): void {
    this.place = 'payout';
    this.#move('CONVERTED');
  }

  #payOut(): void {
    this.place = 'none';
    this.#move('PAYOUT_SUBMITTED');
    this.#addAttempt('payout');
  }

  #openRefund(): void {
    this.place = 'refund';
    this.#move('REFUND_PENDING');
    this.#addAttempt('refund');
  }

  #addAttempt(direction: ModelAttempt['direction']): void {
    this.attempts.push({ direction, state: 'ready', known: undefined });
  }

  /** False when the refund may have left. */
  #withdrawRefund(): boolean {
    const attempt = this.attempts.at(-1);
    if (this.state !== 'REFUND_PENDING' || !attempt) return true;
    if (attempt.state !== 'ready') return false;
    attempt.state = 'recalled';
    return true;
  }

  #beginReview(found: ModelOrder['found']): void {
    this.found = found;
    this.#rememberReview();
    this.#move('IN_REVIEW');
  }

  #rememberReview(): void {
    if (!this.#isUnderReview()) this.review = this.state;
  }

  #isUnderReview(): boolean {
    if (this.state === 'ACTION_REQUIRED') return this.information === 'IN_REVIEW';
    return this.state === 'IN_REVIEW' || this.state === 'FROZEN';
  }

  /** Where the order would be without its review. */
  #underlying(): State | undefined {
    return this.review === 'ACTION_REQUIRED' ? this.information : this.review;
  }
}
