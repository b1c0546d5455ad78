/** What corrects an order in the model: a payment that leaves it again, and what a bank has paid after all. */
import { done, type ModelAttempt, type Outcome, refused } from './order-record.js';
import { isBeingRefunded, ReviewedOrder } from './reviewed-order.js';

export class CorrectedOrder extends ReviewedOrder {
  /** A payment was recorded by mistake, and it was the only one. */
  takeOff(): void {
    this.wasTakenOff = true;
    this.receivedMinor = 0;
    this.takings = [];
    this.place = 'none';
    this.isPaidByAnother = false;
    this.isPaidByListed = false;
    if (this.state === 'AWAITING_PAYMENT') this.tell('order.payment_recorded');
    else this.move('AWAITING_PAYMENT');
    this.requirements = [];
    this.isRequoteOpen = false;
    // It was late: the order is for what it was for before.
    if (this.agreedBefore === undefined) return;
    this.amountInMinor = this.agreedBefore;
    this.agreedBefore = undefined;
    this.tell('order.requoted');
  }

  /** The payer's bank takes back the only payment. */
  clawBack(): Outcome {
    if (!this.withdrawUnsent()) return refused;
    this.place = 'none';
    this.#cancelRefunds();
    this.move('CANCELLED');
    return done;
  }

  /** A payout that the rail refused or sent back was paid after all. */
  provePaid(attempt: ModelAttempt): Outcome {
    const isLost = isBeingRefunded(this.underlying) && this.refundedMinor > 0;
    if (isLost || !this.withdrawUnsent()) return [409, 'payout_not_correctable'];
    attempt.state = 'paid';
    this.place = 'none';
    this.#cancelRefunds();
    this.requirements = [];
    this.isRequoteOpen = false;
    this.hasUnreadAnswers = false;
    this.move('COMPLETED');
    return done;
  }

  /** A bank has paid a refund that was withdrawn, refused or came back. The others go on. */
  proveRefund(attempt: ModelAttempt): Outcome {
    const refund = attempt.refund === undefined ? undefined : this.refunds[attempt.refund];
    const others = this.attempts.filter((other) => other !== attempt && other.refund === attempt.refund);
    const isOwed = refund?.state === 'open' || refund?.state === 'failed';
    const isUnderWay = others.some(({ state }) => state === 'sent');
    if (!refund || !isOwed || isUnderWay || !isBeingRefunded(this.underlying)) return [409, 'payout_not_correctable'];
    for (const other of others) if (other.state === 'ready') other.state = 'recalled';
    attempt.state = 'paid';
    refund.state = 'paid';
    this.refundedMinor += refund.minor;
    if (this.refunds.every(({ state }) => state === 'paid' || state === 'cancelled')) {
      this.place = 'none';
      this.requirements = [];
      this.isRequoteOpen = false;
      this.hasUnreadAnswers = false;
      this.move('REFUNDED');
      return done;
    }
    this.tell('order.refund_updated');
    const hasFailed = this.refunds.some(({ state }) => state === 'failed');
    if (this.state === 'REFUND_FAILED' && !hasFailed) this.move('REFUND_PENDING');
    return done;
  }

  #cancelRefunds(): void {
    for (const refund of this.refunds) if (refund.state !== 'paid') refund.state = 'cancelled';
  }

  /** The payout was marked as paid by mistake. What the rail has said about it before does not complete it again. */
  correctCompletion(): void {
    const attempt = this.attempts.at(-1);
    if (attempt) attempt.state = 'sent';
    this.move('PAYOUT_SUBMITTED');
  }
}
