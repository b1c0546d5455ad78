/** The verbs of a review in the model: put under review, frozen, decided, and asked for information. */
import { done, type Outcome, refused, type State, type Surroundings } from './order-record.js';
import { ScreenedOrder } from './screened-order.js';

const holdingMoney: readonly State[] = [
  ...(['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'ACTION_REQUIRED', 'CONVERTED', 'PAYOUT_FAILED'] as const),
  ...(['RETURNED', 'REJECTED', 'REFUND_PENDING', 'REFUND_FAILED', 'PAYOUT_SUBMITTED'] as const),
];
const askable: readonly State[] = [
  ...(['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'IN_REVIEW', 'PAYOUT_FAILED', 'RETURNED'] as const),
];
const afterConversion: readonly (State | undefined)[] = ['CONVERTED', 'PAYOUT_FAILED', 'RETURNED'];
const goingBack: readonly (State | undefined)[] = ['REJECTED', 'REFUND_PENDING', 'REFUND_FAILED'];
const answerWithinHours = 7 * 24;

export function isBeingRefunded(state: State | undefined): boolean {
  return state === 'REFUND_PENDING' || state === 'REFUND_FAILED';
}

export class ReviewedOrder extends ScreenedOrder {
  refer(): Outcome {
    // An order that nobody has paid yet can be stopped too.
    const isConcerned = this.heldMinor > 0 || this.underlying === 'AWAITING_PAYMENT';
    if (!holdingMoney.includes(this.state) || !isConcerned || !this.withdrawUnsent()) return refused;
    this.beginReview({});
    return done;
  }

  freeze(): Outcome {
    const isPossible = holdingMoney.includes(this.state) || this.state === 'IN_REVIEW';
    if (!isPossible || this.heldMinor === 0 || !this.withdrawUnsent()) return refused;
    this.frozenFrom = this.place === 'refund' ? 'refund' : 'liability';
    this.place = 'frozen';
    if (!this.isUnderReview) this.found = {};
    this.rememberReview();
    this.move('FROZEN');
    return done;
  }

  release(): Outcome {
    if (this.state !== 'FROZEN') return refused;
    this.place = this.frozenFrom;
    this.move('IN_REVIEW');
    return done;
  }

  /** `seen`: the version that the operator saw. */
  approve(seen: number, around: Surroundings): Outcome {
    if (this.state !== 'IN_REVIEW' || seen !== this.version) return refused;
    const resumes = this.underlying;
    const isRefused = this.isRequoteOpen && this.review !== 'ACTION_REQUIRED';
    const isCancelled = (this.isCancellationRequested || isRefused) && !goingBack.includes(resumes);
    const isPaidOut = !isCancelled && !goingBack.includes(resumes);
    const isHitInTheWay = isPaidOut ? this.isHit : this.hit === 'open';
    if (this.isBlocked || isHitInTheWay || (isPaidOut && !this.holdsLevel)) return [409, 'order_review_blocked'];
    this.#clearWhoPaid();
    if (this.found.listed !== undefined) this.clearedVersions.push(this.found.listed);
    if (this.found.payer) this.isPayerCleared = true;
    this.hasUnreadAnswers = false;
    if (isCancelled) return this.#endReview(around);
    if (afterConversion.includes(resumes)) this.place = 'payout';
    this.move(this.review as State);
    if (isBeingRefunded(this.review)) this.#resumeRefunds(around);
    return done;
  }

  /** Whoever decides lets the money go back to a listed payer, and in spite of a confirmed hit. */
  #clearWhoPaid(): void {
    if (this.found.listedPayer) this.isListedPayerCleared = true;
    if (this.hit === 'confirmed') this.isHitCleared = true;
  }

  #resumeRefunds(around: Surroundings): void {
    const open = this.refunds.filter((refund) => refund.state === 'open');
    const found = open.length > 0 ? this.refundGate(around) : undefined;
    if (found) this.beginReview(found);
    else this.sendRefunds(open);
  }

  /** The money goes back; without money the order ends. */
  #endReview(around: Surroundings): Outcome {
    if (this.heldMinor > 0) this.openRefund(around);
    else this.move('CANCELLED');
    return done;
  }

  refuse(seen: number): Outcome {
    if (this.state !== 'IN_REVIEW' || seen !== this.version) return refused;
    if (goingBack.includes(this.underlying)) return refused;
    if (this.isBlocked || this.hit === 'open') return [409, 'order_review_blocked'];
    this.#clearWhoPaid();
    this.move(this.heldMinor > 0 ? 'REJECTED' : 'CANCELLED');
    return done;
  }

  askForInformation(hour: number): Outcome {
    if (!askable.includes(this.state)) return refused;
    // The earlier request, which the review interrupted, is replaced.
    if (this.state === 'IN_REVIEW' && this.review === 'ACTION_REQUIRED') this.review = this.information;
    this.information = this.state;
    this.requirements = this.isRequoteOpen ? ['purpose', 'requote'] : ['purpose'];
    this.answerDueHour = hour + answerWithinHours;
    this.move('ACTION_REQUIRED');
    return done;
  }

  provideInformation(isAccepted: boolean, around: Surroundings): Outcome {
    if (this.state !== 'ACTION_REQUIRED') return refused;
    if (this.isCancellationRequested && this.information !== 'IN_REVIEW') return refused;
    if (this.isRequoteOpen && !isAccepted && this.information !== 'IN_REVIEW') {
      this.openRefund(around);
      return done;
    }
    if (isAccepted) this.isRequoteOpen = false;
    // Nobody reads an answer about new terms alone.
    if (this.information !== 'IN_REVIEW' && this.requirements.includes('purpose')) this.hasUnreadAnswers = true;
    this.move(this.information as State);
    return done;
  }
}
