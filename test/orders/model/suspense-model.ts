/** Money that no order has taken: where it is, and what becomes of it. By the design, without code of the service. */
import type { ModelAttempt, Outcome, ReportKind } from './order-record.js';

export const suspenseStates = [
  ...(['OPEN', 'MATCHED', 'REFUND_PENDING', 'REFUND_FAILED', 'RETURNED', 'WRITTEN_OFF', 'FROZEN'] as const),
] as const;

const notAllowed: Outcome = [409, 'suspense_transition_not_allowed'];
const changed: Outcome = [409, 'suspense_changed'];

export class ModelSuspense {
  state: (typeof suspenseStates)[number] = 'OPEN';
  version = 1;
  /** What we still hold of it. */
  leftMinor: number;
  paidMinor = 0;
  /** The place of the order that it came for. */
  order: number | undefined;
  /** The order that it was taken off, if operators had cleared its payer there. */
  clearedFor: number | undefined;
  /** The number that each order which had a part of the payment knows it by. */
  readonly numbers: Record<number, number> = {};
  readonly attempts: ModelAttempt[] = [];
  /** What operators knew when they let it go back. */
  despite: readonly string[] = [];

  constructor(
    readonly reason: string,
    readonly currency: 'USD' | 'EUR',
    readonly minor: number,
    readonly bookedHour: number,
    /** The name of the payer. */
    readonly payer: string,
    /** Whose account it came from. */
    readonly account: string,
  ) {
    this.leftMinor = minor;
  }

  clone(): ModelSuspense {
    const { reason, currency, minor, bookedHour, payer, account } = this;
    const copy = new ModelSuspense(reason, currency, minor, bookedHour, payer, account);
    return Object.assign(copy, structuredClone({ ...this }));
  }

  /** Why nothing can be done with it now. `seen`: the version that the operator saw. */
  obstacle(seen: number, from: readonly string[]): Outcome | undefined {
    if (seen !== this.version) return changed;
    return from.includes(this.state) ? undefined : notAllowed;
  }

  /** An order took so much of it. */
  match(minor: number): void {
    this.leftMinor -= minor;
    this.#move(this.leftMinor === 0 ? 'MATCHED' : 'OPEN');
  }

  /** `clues`: what is known against whoever sent or paid it. */
  payBack(seen: number, clues: readonly string[]): Outcome {
    const obstacle = this.obstacle(seen, ['OPEN', 'REFUND_FAILED']);
    if (obstacle) return obstacle;
    this.despite = clues;
    this.#move('REFUND_PENDING');
    this.attempts.push({ direction: 'refund', state: 'ready', known: undefined, reportIds: [] });
    return [200];
  }

  writeOff(seen: number): Outcome {
    const obstacle = this.obstacle(seen, ['OPEN']);
    if (obstacle) return obstacle;
    this.leftMinor = 0;
    this.#move('WRITTEN_OFF');
    return [200];
  }

  /** The refund is not paid, if nobody has been asked to. */
  withdraw(seen: number): Outcome {
    const obstacle = this.obstacle(seen, ['REFUND_PENDING']);
    if (obstacle) return obstacle;
    return this.#recall() ? this.#done('OPEN') : notAllowed;
  }

  freeze(): Outcome {
    const isPossible = this.state === 'OPEN' || this.state === 'REFUND_FAILED' || this.state === 'REFUND_PENDING';
    return isPossible && this.#recall() ? this.#done('FROZEN') : notAllowed;
  }

  release(seen: number): Outcome {
    return this.obstacle(seen, ['FROZEN']) ?? this.#done('OPEN');
  }

  #recall(): boolean {
    const attempt = this.attempts.at(-1);
    if (this.state !== 'REFUND_PENDING' || !attempt) return true;
    if (attempt.state !== 'ready') return false;
    attempt.state = 'recalled';
    return true;
  }

  #done(to: ModelSuspense['state']): Outcome {
    this.#move(to);
    return [200];
  }

  /** What the rail says about an attempt. */
  receiveReport(attempt: ModelAttempt, kind: ReportKind): void {
    const isFirstOutcome = attempt.state === 'sent' && kind !== 'accepted';
    const isReturn = attempt.state === 'paid' && kind === 'returned';
    if (!isFirstOutcome && !isReturn) return;
    attempt.state = kind as 'paid' | 'rejected' | 'returned';
    if (kind === 'paid') this.paidMinor = this.leftMinor;
    this.leftMinor = kind === 'paid' ? 0 : isReturn ? this.paidMinor : this.leftMinor;
    this.#move(kind === 'paid' ? 'RETURNED' : 'REFUND_FAILED');
  }

  get owed(): string {
    if (this.leftMinor === 0) return 'nothing';
    const places = { OPEN: 'suspense', FROZEN: 'frozen' } as const;
    return `${this.leftMinor} on ${places[this.state as 'OPEN'] ?? 'refund'}`;
  }

  #move(to: ModelSuspense['state']): void {
    this.state = to;
    this.version += 1;
  }
}
