/**
 * What one subject did in the window of a rule, and before it. Each movement enters once and leaves once, so that a
 * subject with many payments costs no more for each of them. Pure.
 */
import { counts, keyOf, lookBackMs, type Movement, quietMs, type Seen, type Terms } from './rule.js';

/** Movements that nothing counts any more are dropped together. */
const droppedTogether = 1000;

export class MovementWindow implements Seen {
  readonly #terms: Terms;
  #movements: Movement[] = [];
  /** The first movement that the rule looks back to, and the first one within its window. */
  #oldest = 0;
  #recent = 0;
  orders = 0;
  usdMinor = 0n;
  readonly keys = new Map<string, number>();
  readonly before = { orders: 0, usdMinor: 0n };

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /** The movements come in the order of time. */
  add(movement: Movement): void {
    if (!counts(this.#terms, movement)) return;
    this.#movements.push(movement);
    this.orders += 1;
    this.usdMinor += movement.usdMinor;
    this.#count(movement, 1);
  }

  /** What is too old at this moment leaves. */
  moveTo(now: Date): void {
    const age = (index: number) => now.getTime() - (this.#movements[index]?.paidAt.getTime() ?? 0);
    for (; this.#recent < this.#movements.length && age(this.#recent) >= quietMs(this.#terms); this.#recent += 1) {
      const left = this.#movements[this.#recent] as Movement;
      this.orders -= 1;
      this.usdMinor -= left.usdMinor;
      this.#count(left, -1);
      this.before.orders += 1;
      this.before.usdMinor += left.usdMinor;
    }
    for (; this.#oldest < this.#recent && age(this.#oldest) > lookBackMs(this.#terms); this.#oldest += 1) {
      this.before.orders -= 1;
      this.before.usdMinor -= (this.#movements[this.#oldest] as Movement).usdMinor;
    }
    if (this.#oldest < droppedTogether) return;
    this.#movements = this.#movements.slice(this.#oldest);
    this.#recent -= this.#oldest;
    this.#oldest = 0;
  }

  get silenceMs(): number {
    const [last, first] = [this.#movements[this.#recent - 1], this.#movements[this.#recent]];
    return this.before.orders === 0 || !last || !first ? Infinity : first.paidAt.getTime() - last.paidAt.getTime();
  }

  lastOrders(atMost: number): string[] {
    return this.#movements.slice(Math.max(this.#recent, this.#movements.length - atMost)).map(({ orderId }) => orderId);
  }

  #count(movement: Movement, change: 1 | -1): void {
    const key = keyOf(this.#terms, movement);
    if (key === undefined) return;
    const number = (this.keys.get(key) ?? 0) + change;
    if (number > 0) this.keys.set(key, number);
    else this.keys.delete(key);
  }
}
