/**
 * A small model of an order, written from the design and without the code of the service: its state, where its money
 * is, and what its merchant was told. Each verb changes the model and returns the answer that the service must give.
 */

import { CorrectedOrder } from './corrected-order.js';
import {
  done,
  type ModelAttempt,
  type Outcome,
  type ReportKind,
  refused,
  type State,
  type Surroundings,
} from './order-record.js';
import { isBeingRefunded } from './reviewed-order.js';

const finished: readonly State[] = ['COMPLETED', 'REFUNDED', 'CANCELLED', 'EXPIRED'];
const expiresAfterHours = 96;
const acceptWithinHours = 24;
/** 12 CFR 1005.34: half an hour after the payment. */
const cancellationRightHours = 0.5;

interface TakenPayment {
  readonly minor: number;
  /** The name of the payer. */
  readonly payer: string;
  /** The payer is on the list. */
  readonly isListed: boolean;
  /** Operators have seen this payer of the order before. */
  readonly isCleared?: boolean;
  readonly account: string;
  /** Of a payment that this order had before. */
  readonly number?: number | undefined;
}

export class ModelOrder extends CorrectedOrder {
  clone(): ModelOrder {
    const { createdHour, beneficiary, isSentFromUs, sender } = this;
    const copy = new ModelOrder(createdHour, beneficiary, isSentFromUs, sender);
    return Object.assign(copy, structuredClone({ ...this }));
  }

  /** The order takes so much of a payment, or takes it again. Returns the number of the payment. */
  take(hour: number, taken: TakenPayment): number {
    const { minor, payer, isListed, isCleared = false, account, number = this.takenSoFar } = taken;
    const isByAnother = payer !== this.senderName;
    this.takings.push({ number, account, minor });
    this.takenSoFar = Math.max(this.takenSoFar, number + 1);
    this.receivedMinor += minor;
    this.wasPaid = true;
    if (isByAnother && isListed) this.isPaidByListed = true;
    if (isByAnother && !isCleared) {
      this.isPaidByAnother = true;
      this.isPayerCleared = false;
    }
    if (this.place === 'none') this.place = 'liability';
    if (this.isPaid && this.isSentFromUs) this.cancellableUntilHour = hour + cancellationRightHours;
    if (this.isPaid && this.state === 'AWAITING_PAYMENT') this.move('PAYMENT_RECEIVED');
    else {
      // A review or a question goes on, and leads to where a paid order goes on.
      if (this.isPaid && this.isUnderReview) this.review = 'PAYMENT_RECEIVED';
      else if (this.isPaid) this.information = 'PAYMENT_RECEIVED';
      this.tell('order.payment_recorded');
    }
    return number;
  }

  /** Money came late: the order has the rate of the day, for all that was paid. */
  requote(minor: number): void {
    this.agreedBefore = this.amountInMinor;
    this.amountInMinor = this.receivedMinor + minor;
    this.tell('order.requoted');
  }

  /** The sender must accept terms that are much worse, within a day. */
  askForAcceptance(hour: number): void {
    this.isRequoteOpen = true;
    if (this.state === 'ACTION_REQUIRED') {
      this.requirements = [...this.requirements, 'requote'];
      return;
    }
    this.requirements = ['requote'];
    this.information = this.state;
    this.answerDueHour = hour + acceptWithinHours;
    this.move('ACTION_REQUIRED');
  }

  cancel(around: Surroundings): Outcome {
    if (this.isCancellationRequested) return done;
    const waits: readonly State[] = ['IN_REVIEW', 'ACTION_REQUIRED', 'FROZEN'];
    const hasMoney = this.heldMinor > 0;
    const atOnce: readonly State[] = hasMoney
      ? ['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'CONVERTED', 'PAYOUT_FAILED', 'RETURNED']
      : ['AWAITING_PAYMENT', 'ACTION_REQUIRED'];
    if (atOnce.includes(this.state)) {
      if (hasMoney) this.openRefund(around);
      else this.move('CANCELLED');
      if (this.isUnderReview) this.tell('order.cancellation_requested');
    } else if (waits.includes(this.state)) this.tell('order.cancellation_requested');
    else return [409, 'order_not_cancellable'];
    this.isCancellationRequested = true;
    return done;
  }

  correct(beneficiary: number): Outcome {
    if (this.isErased) return [404, 'user_not_found'];
    if (this.state !== 'AWAITING_PAYMENT' && this.state !== 'ACTION_REQUIRED') return refused;
    if (beneficiary === this.beneficiary) return done;
    this.beneficiary = beneficiary;
    this.beneficiaryVersion += 1;
    this.tell('order.beneficiary_changed');
    return done;
  }

  /** The user of the order is erased. */
  erase(): Outcome {
    if (this.isErased) return [404, 'user_not_found'];
    if (!finished.includes(this.state)) return [409, 'user_has_open_orders'];
    this.isErased = true;
    this.isForgotten = !this.wasPaid;
    return done;
  }

  /** One step of the worker. False when there is nothing to do. */
  advance(around: Surroundings): boolean {
    const isCancelledRequest =
      this.state === 'ACTION_REQUIRED' && this.isCancellationRequested && this.information !== 'IN_REVIEW';
    if (this.state === 'REJECTED' || isCancelledRequest) {
      this.openRefund(around);
      return true;
    }
    if (this.state !== 'PAYMENT_RECEIVED' && this.state !== 'CONVERTED') return false;
    if (this.state === 'PAYMENT_RECEIVED' && around.hour < this.cancellableUntilHour) return false;
    if (this.waitsForWay && around.isPaused) return false;
    const found = this.gate(around);
    if (!found && around.isPaused) {
      this.waitsForWay = true;
      return false;
    }
    if (found) this.beginReview(found);
    else if (this.state === 'PAYMENT_RECEIVED') this.convert();
    else this.payOut();
    return true;
  }

  /** A payout passes the gate again before it is sent. */
  recheck(around: Surroundings): void {
    const isUnsent = this.state === 'PAYOUT_SUBMITTED' && this.attempts.at(-1)?.state === 'ready';
    const found = isUnsent && this.gate(around);
    if (!found) return;
    this.withdrawUnsent();
    this.beginReview(found);
  }

  /** Also one that the rail never received is sent again only through the gate. */
  mayLeave({ direction, known }: ModelAttempt, around: Surroundings): boolean {
    return known !== undefined || !(direction === 'refund' ? this.refundGate(around) : this.gate(around));
  }

  /** So does a refund. While a bank has that of another payer, it waits. */
  recheckRefunds(around: Surroundings): void {
    if (!isBeingRefunded(this.state)) return;
    if (!this.attempts.some(({ direction, state }) => direction === 'refund' && state === 'ready')) return;
    const found = this.refundGate(around);
    if (found && this.withdrawUnsent()) this.beginReview(found);
  }

  /** An operator tries a payout again that failed or came back. */
  retryPayout(seen: number, around: Surroundings): Outcome {
    if ((this.state !== 'PAYOUT_FAILED' && this.state !== 'RETURNED') || seen !== this.version) return refused;
    const found = this.gate(around);
    if (!found && around.isPaused) return refused;
    if (found) this.beginReview(found);
    else this.payOut();
    return done;
  }

  expire(around: Surroundings): void {
    const { hour } = around;
    const isUnpaidTooLong = this.state === 'AWAITING_PAYMENT' && hour - this.createdHour >= expiresAfterHours;
    const isSilent = this.state === 'ACTION_REQUIRED' && hour >= this.answerDueHour;
    if (!isUnpaidTooLong && !isSilent) return;
    if (isSilent && this.information === 'IN_REVIEW') this.move('IN_REVIEW');
    else if (this.heldMinor > 0) this.openRefund(around);
    else this.move('EXPIRED');
  }

  /** An operator pays back what could not be paid out, or what the sender does not answer about. */
  refund(seen: number, around: Surroundings): Outcome {
    const isAsked = this.state === 'ACTION_REQUIRED' && this.heldMinor > 0 && this.information !== 'IN_REVIEW';
    const isPossible = this.state === 'PAYOUT_FAILED' || this.state === 'RETURNED' || isAsked;
    if (!isPossible || seen !== this.version) return refused;
    this.openRefund(around);
    return done;
  }

  retryRefund(seen: number, around: Surroundings): Outcome {
    if (this.state !== 'REFUND_FAILED' || seen !== this.version) return refused;
    const found = this.refundGate(around);
    if (found) {
      if (!this.withdrawUnsent()) return refused;
      this.beginReview(found);
      return done;
    }
    this.move('REFUND_PENDING');
    this.sendRefunds(this.refunds.filter((refund) => refund.state === 'failed'));
    return done;
  }

  /**
   * What the rail says about an attempt, however often and in whatever order. What contradicts the rest changes
   * nothing.
   */
  receiveReport(attempt: ModelAttempt, kind: ReportKind, reportId: string = kind): void {
    const { state, direction, reportIds } = attempt;
    if (reportIds.includes(reportId)) return;
    reportIds.push(reportId);
    if (kind === 'accepted' && state === 'sent' && direction === 'refund' && !attempt.isAccepted) {
      attempt.isAccepted = true;
      this.tell('order.refund_updated');
    }
    const isFirstOutcome = state === 'sent' && kind !== 'accepted';
    const isReturn = state === 'paid' && kind === 'returned';
    if (!isFirstOutcome && !isReturn) return;
    const refund = attempt.refund === undefined ? undefined : this.refunds[attempt.refund];
    // While a person looks at the other refunds, an operator must find out about this one.
    if (refund && !isBeingRefunded(this.state) && this.state !== 'REFUNDED') return;
    attempt.state = kind as 'paid' | 'rejected' | 'returned';
    if (refund) this.endRefund(refund, kind === 'paid');
    else this.endPayout(kind, isReturn);
  }
}
