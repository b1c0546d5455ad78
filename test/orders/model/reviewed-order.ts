/** The verbs of a review in the model: put under review, frozen, decided, and asked for information. */
import { done, OrderRecord, type Outcome, refused, type State } from './order-record.js';

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

export class ReviewedOrder extends OrderRecord {
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
  approve(seen: number): Outcome {
    if (this.state !== 'IN_REVIEW' || seen !== this.version) return refused;
    const resumes = this.underlying;
    const isRefused = this.isRequoteOpen && this.review !== 'ACTION_REQUIRED';
    const isCancelled = (this.isCancellationRequested || isRefused) && !goingBack.includes(resumes);
    const isPaidOut = !isCancelled && !goingBack.includes(resumes);
    if (isPaidOut && !this.holdsLevel) return [409, 'order_review_blocked'];
    if (this.found.listed !== undefined) this.clearedVersions.push(this.found.listed);
    if (this.found.payer) this.isPayerCleared = true;
    this.hasUnreadAnswers = false;
    if (isCancelled) return this.#endReview();
    if (afterConversion.includes(resumes)) this.place = 'payout';
    this.move(this.review as State);
    if (isBeingRefunded(this.review)) this.sendRefunds(this.refunds.filter((refund) => refund.state === 'open'));
    return done;
  }

  /** The money goes back; without money the order ends. */
  #endReview(): Outcome {
    if (this.heldMinor > 0) this.openRefund();
    else this.move('CANCELLED');
    return done;
  }

  refuse(seen: number): Outcome {
    if (this.state !== 'IN_REVIEW' || seen !== this.version) return refused;
    if (goingBack.includes(this.underlying)) return refused;
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

  provideInformation(isAccepted: boolean): Outcome {
    if (this.state !== 'ACTION_REQUIRED') return refused;
    if (this.isCancellationRequested && this.information !== 'IN_REVIEW') return refused;
    if (this.isRequoteOpen && !isAccepted && this.information !== 'IN_REVIEW') {
      this.openRefund();
      return done;
    }
    if (isAccepted) this.isRequoteOpen = false;
    // Nobody reads an answer about new terms alone.
    if (this.information !== 'IN_REVIEW' && this.requirements.includes('purpose')) this.hasUnreadAnswers = true;
    this.move(this.information as State);
    return done;
  }
}
