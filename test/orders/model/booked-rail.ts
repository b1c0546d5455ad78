/** A rail that keeps books as a bank would. It tells the truth, though not always at once, and refuses to pay twice. */
import type { Batch, Finding, Rail, Report } from '../../../src/payouts/rail.js';
import { report } from '../../payouts/payouts.js';
import type { ReportKind } from './order-record.js';

/**
 * What it does with a payment that it does not know. `silent`: it takes it, and does not tell before the next pass.
 * `down`: it does neither.
 */
export type RailMode = 'accept' | 'pay' | 'reject' | 'silent' | 'down';

/** What has happened to a payment that the rail takes in this mode. */
export const takenIn: Readonly<Record<RailMode, readonly ReportKind[]>> = {
  accept: ['accepted'],
  pay: ['accepted', 'paid'],
  reject: ['rejected'],
  silent: ['accepted'],
  down: [],
};

interface Entry {
  readonly content: Buffer;
  /** Whom it was for was on the screening list when the rail took it. */
  readonly isListed: boolean;
  /** Why no money was to leave when the rail took it, by the characters of the order that it is for. */
  readonly stopped: ReadonlyMap<string, readonly StopReason[]>;
  readonly history: ReportKind[];
}

interface Taken {
  readonly reference: string;
  readonly direction: 'payout' | 'refund';
  readonly currency: string;
  /** In major units. */
  readonly amount: number;
  /** Of a refund: the account that it goes to. */
  readonly account: unknown;
  readonly isListed: boolean;
  readonly stopped: ReadonlyMap<string, readonly StopReason[]>;
  readonly isPaid: boolean;
}

/** The sender of an order is on the block list; or on the screening list, and nobody has dismissed that. */
export type StopReason = 'blocked' | 'listed';

export class BookedRail implements Rail {
  readonly name = 'sandbox';
  readonly capabilities: Rail['capabilities'] = {
    ...{ methods: 'any', currencies: 'any', paymentsPerMessage: 1, messagesAtOnce: 4 },
    ...{ canRecall: false, proofOfPayment: 'report', submission: 'automatic', asksAfterPayment: false },
  };
  #mode: RailMode = 'accept';
  /** Taken in silence during this pass. */
  readonly #untold = new Set<string>();
  /** What a bank would not accept. */
  readonly violations: string[] = [];
  readonly #book = new Map<string, Entry>();
  /** The names on the screening list now. */
  listed: readonly string[] = [];
  #stopped: ReadonlyMap<string, readonly StopReason[]> = new Map();

  /** From now on no money is to leave for the sender of this order. */
  stop(orderId: string, reason: StopReason): void {
    this.#change(orderId, (reasons) => [...reasons.filter((known) => known !== reason), reason]);
  }

  letGo(orderId: string, reason: StopReason): void {
    this.#change(orderId, (reasons) => reasons.filter((known) => known !== reason));
  }

  #change(orderId: string, change: (reasons: readonly StopReason[]) => readonly StopReason[]): void {
    const characters = charactersOf(orderId);
    this.#stopped = new Map([...this.#stopped, [characters, change(this.#stopped.get(characters) ?? [])]]);
  }

  /** From now on it is in this mode. A pass may ask several times, after a fault or on a slow machine. */
  beginPass(mode: RailMode): void {
    this.#mode = mode;
    this.#untold.clear();
  }

  plan(_request: unknown, now: Date) {
    return { cutOffAt: undefined, valueDate: now.toISOString().slice(0, 10), arrivesAt: now };
  }

  async submit({ payments }: Batch): Promise<readonly Report[]> {
    if (this.#mode === 'down') throw new Error('the rail is down');
    for (const { reference, content } of payments) this.#take(reference, content);
    if (this.#mode === 'silent') throw new Error('the rail does not answer');
    return payments.flatMap(({ reference }) => this.#reports(reference));
  }

  async find(reference: string): Promise<Finding> {
    if (this.#mode === 'down') throw new Error('the rail is down');
    if (this.#untold.has(reference)) throw new Error('the rail does not answer');
    return this.#book.has(reference) ? { reports: this.#reports(reference) } : 'never_received';
  }

  read(): readonly Report[] {
    return [];
  }

  /** Something happens to a payment. Nobody is told yet. */
  happen(reference: string, kind: ReportKind): void {
    this.#book.get(reference)?.history.push(kind);
  }

  forgetAll(): void {
    this.#stopped = new Map();
    this.#book.clear();
  }

  #take(reference: string, content: Buffer): void {
    const taken = this.#book.get(reference);
    if (taken) {
      if (!taken.content.equals(content)) this.violations.push(`${reference} came with other contents`);
      return;
    }
    for (const [other, { history, content: earlier }] of this.#book) {
      const isDead = history.includes('rejected') || history.includes('returned');
      if (familyOf(other) === familyOf(reference) && !isDead && !areForTwoPayers(earlier, content))
        this.violations.push(`${reference} came while ${other} is alive`);
    }
    if (this.#mode === 'silent') this.#untold.add(reference);
    const known = { content, isListed: this.#isListed(content), stopped: this.#stopped };
    this.#book.set(reference, { ...known, history: [...takenIn[this.#mode]] });
  }

  /** Everything that it was asked to pay. */
  get taken(): readonly Taken[] {
    return [...this.#book].map(([reference, { content, isListed, stopped, history }]) => {
      const { direction, currency, amount, recipient } = JSON.parse(content.toString());
      const isPaid = history.includes('paid') && !history.includes('returned');
      return {
        reference,
        direction,
        currency,
        amount: Number(amount),
        account: recipient?.account,
        isListed,
        stopped,
        isPaid,
      };
    });
  }

  #isListed(content: Buffer): boolean {
    const { firstName, lastName, name = `${firstName} ${lastName}` } = JSON.parse(content.toString()).recipient ?? {};
    return this.listed.includes(name);
  }

  #reports(reference: string): Report[] {
    return (this.#book.get(reference)?.history ?? []).map((kind) => report(kind, reference));
  }
}

/** Each payer of an order has a refund of its own. */
function areForTwoPayers(...contents: readonly Buffer[]): boolean {
  const [one, other] = contents.map((content) => JSON.parse(content.toString()));
  const areRefunds = one.direction === 'refund' && other.direction === 'refund';
  return areRefunds && one.recipient?.account !== other.recipient?.account;
}

/** The characters of an order or suspense record, as its id and the references of its attempts have them. */
export function charactersOf(name: string): string {
  return name.replace('_', '').slice(3).split('-')[0] as string;
}

/** All attempts of an order, payouts and refunds, have the same beginning. */
function familyOf(reference: string): string {
  return reference.split('-')[0] as string;
}
