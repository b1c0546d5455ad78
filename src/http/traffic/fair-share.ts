/** A bounded set. When it is full, the source with the most entries loses its slowest one. */

export interface Share {
  /** The merchant or the address that the entry belongs to. Called only when the set is full. */
  source(): string;
  /** Bytes per millisecond so far. Called only when the set is full. */
  speed(nowMs: number): number;
}

export class FairShare<Entry extends Share> implements Iterable<Entry> {
  readonly #entries = new Set<Entry>();

  constructor(readonly most: number) {}

  get size(): number {
    return this.#entries.size;
  }

  [Symbol.iterator](): IterableIterator<Entry> {
    return this.#entries.values();
  }

  /**
   * Adds the entry and returns the one that it displaces, already removed. With `keepsOwn`, a source that has the most
   * entries does not displace one of its own: then the new entry is not added but returned.
   */
  add(entry: Entry, keepsOwn = false): Entry | undefined {
    if (this.#entries.size < this.most) {
      this.#entries.add(entry);
      return undefined;
    }
    const counts = this.#countsWith(entry);
    const most = Math.max(...counts.values());
    if (keepsOwn && counts.get(entry.source()) === most) return entry;
    const displaced = this.#slowest((each) => counts.get(each.source()) === most);
    if (displaced) this.#entries.delete(displaced);
    this.#entries.add(entry);
    return displaced;
  }

  delete(entry: Entry): void {
    this.#entries.delete(entry);
  }

  /** Counts the entries of each source as if the entry were added. */
  #countsWith(entry: Entry): Map<string, number> {
    const counts = new Map([[entry.source(), 1]]);
    for (const each of this.#entries) {
      const source = each.source();
      counts.set(source, (counts.get(source) ?? 0) + 1);
    }
    return counts;
  }

  #slowest(isCandidate: (entry: Entry) => boolean): Entry | undefined {
    const nowMs = performance.now();
    let slowest: Entry | undefined;
    for (const entry of this.#entries) {
      if (!isCandidate(entry)) continue;
      if (!slowest || entry.speed(nowMs) < slowest.speed(nowMs)) slowest = entry;
    }
    return slowest;
  }
}
