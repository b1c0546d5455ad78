/** What stops an order in the model: who sends, pays and receives, and what is open about it. */
import { type ModelRefund, OrderRecord, type Surroundings } from './order-record.js';
import { isListed } from './people.js';

export class ScreenedOrder extends OrderRecord {
  /** Who is found is recorded, also when a person looks at the order for another reason. */
  #screenSender(around: Surroundings): void {
    if (!this.isErased && isListed(this.senderName, around)) this.hit ??= 'open';
  }

  get #isListedPayerFound(): boolean {
    return this.isPaidByListed && !this.isListedPayerCleared;
  }

  /** Why money does not go back without a person; undefined when it may. */
  refundGate(around: Surroundings): OrderRecord['found'] | undefined {
    if (this.heldMinor === 0) return undefined;
    this.#screenSender(around);
    const isHit = this.isHit && !(this.hit === 'confirmed' && this.isHitCleared);
    if (!this.isBlocked && !isHit && !this.#isListedPayerFound) return undefined;
    return { listedPayer: this.#isListedPayerFound };
  }

  /** Why a person must look; undefined when the order may go on. */
  protected gate(around: Surroundings): OrderRecord['found'] | undefined {
    const { listed } = around;
    this.#screenSender(around);
    const isMatched = listed.includes(this.beneficiary) && !this.clearedVersions.includes(this.beneficiaryVersion);
    const payer = this.isPaidByAnother && !this.isPayerCleared;
    // Nobody can screen a sender who was erased.
    const listedPayer = this.#isListedPayerFound;
    const isStopped = this.isBlocked || this.isHit || listedPayer || this.isErased || this.hasUnreadAnswers;
    if (!isMatched && !payer && this.holdsLevel && !isStopped) return undefined;
    return { listed: isMatched ? this.beneficiaryVersion : undefined, payer, listedPayer };
  }

  /** Each payer has a refund of its own, unless a person must look first. */
  protected openRefund(around: Surroundings): void {
    const found = this.refundGate(around);
    if (found && this.state !== 'IN_REVIEW') {
      this.beginReview(found);
      return;
    }
    this.place = 'refund';
    this.move('REFUND_PENDING');
    const byAccount = new Map<string, number>();
    for (const { account, minor } of this.takings.toSorted((one, other) => one.number - other.number))
      byAccount.set(account, (byAccount.get(account) ?? 0) + minor);
    const opened: ModelRefund[] = [...byAccount.values()].map((minor) => ({ minor, state: 'open' }));
    this.refunds = [...this.refunds, ...opened];
    this.sendRefunds(opened);
    if (!found) return;
    this.withdrawUnsent();
    this.beginReview(found);
  }
}
