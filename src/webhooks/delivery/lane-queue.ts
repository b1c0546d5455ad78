/** The due deliveries of one endpoint. First attempts about the same subject are made in order, one after the other. */
import type { EventId } from '../event.js';
import type { DueDelivery } from './delivery.js';

const smallestLoad = 20;
const largestLoad = 500;

export class LaneQueue {
  #waiting: DueDelivery[] = [];
  /** From the start of an attempt until a load after its record: until then the database may still list it as due. */
  readonly #unrecorded = new Map<EventId, 'open' | 'recorded'>();
  /** Subjects whose first attempt is in flight: the next event must not overtake it. */
  readonly #busySubjects = new Set<string>();
  #mayHaveMore = true;
  #limit = smallestLoad;
  #endedSinceLoad = 0;
  #isFull = false;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The database may list deliveries that were not there at the last load. */
  get mayHaveMore(): boolean {
    return this.#mayHaveMore;
  }

  get needsLoad(): boolean {
    return this.isEmpty && (this.#mayHaveMore || this.#isFull);
  }

  expectMore(): void {
    this.#mayHaveMore = true;
  }

  /** Call it before the database is asked. Returns how many deliveries to ask for: about twice the work since last time. */
  beginLoad(): number {
    for (const [eventId, state] of this.#unrecorded) {
      if (state === 'recorded') this.#unrecorded.delete(eventId);
    }
    const wanted = Math.min(largestLoad, Math.max(smallestLoad, 2 * this.#endedSinceLoad));
    this.#limit = wanted + this.#unrecorded.size;
    this.#endedSinceLoad = 0;
    this.#mayHaveMore = false;
    return this.#limit;
  }

  /** Replaces what was still waiting. */
  load(due: readonly DueDelivery[]): void {
    this.#isFull = due.length >= this.#limit;
    this.#waiting = due.filter(({ eventId }) => !this.#unrecorded.has(eventId));
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Takes the first delivery that may be sent now. */
  next(): DueDelivery | undefined {
    const index = this.#waiting.findIndex((due) => !isFirst(due) || !this.#busySubjects.has(due.subject));
    if (index < 0) return undefined;
    const [due] = this.#waiting.splice(index, 1);
    if (!due) return undefined;
    this.#unrecorded.set(due.eventId, 'open');
    if (isFirst(due)) this.#busySubjects.add(due.subject);
    return due;
  }

  /** The attempt has a result: the next event of its subject may follow. */
  ended(due: DueDelivery): void {
    this.#endedSinceLoad += 1;
    this.#freeSubject(due);
  }

  recorded(due: DueDelivery): void {
    this.#unrecorded.set(due.eventId, 'recorded');
  }

  /** The delivery was not sent. The next load brings it again. */
  putBack(due: DueDelivery): void {
    this.#freeSubject(due);
    this.#unrecorded.delete(due.eventId);
    this.#mayHaveMore = true;
  }

  #freeSubject(due: DueDelivery): void {
    if (isFirst(due)) this.#busySubjects.delete(due.subject);
  }
}

function isFirst(due: DueDelivery): boolean {
  return due.lastAttemptNo === 0;
}
