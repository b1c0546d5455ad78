/** What is to be sent to one endpoint, in an order that keeps the promise: first attempts of one subject one by one. */

import type { EventId } from '../event.js';
import type { DueDelivery } from './delivery.js';

export class LaneQueue {
  #waiting: DueDelivery[] = [];
  /** From the start of an attempt until it is on record; until then the database still calls it due. */
  readonly #unrecorded = new Map<EventId, 'open' | 'recorded'>();
  /** Subjects whose first attempt is under way: the next must not overtake it. */
  readonly #busySubjects = new Set<string>();

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** How many the database may still call due although they were sent. */
  get unrecorded(): number {
    return this.#unrecorded.size;
  }

  /** Before the database is asked anew: what is on record by now will not be in its answer. */
  beforeLoad(): void {
    for (const [eventId, state] of this.#unrecorded) {
      if (state === 'recorded') this.#unrecorded.delete(eventId);
    }
  }

  /** In place of what was still waiting. */
  load(due: readonly DueDelivery[]): void {
    this.#waiting = due.filter(({ eventId }) => !this.#unrecorded.has(eventId));
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The first that may be sent now. */
  next(): DueDelivery | undefined {
    const index = this.#waiting.findIndex((due) => !isFirst(due) || !this.#busySubjects.has(due.subject));
    if (index < 0) return undefined;
    const [due] = this.#waiting.splice(index, 1);
    if (!due) return undefined;
    this.#unrecorded.set(due.eventId, 'open');
    if (isFirst(due)) this.#busySubjects.add(due.subject);
    return due;
  }

  /** The attempt is over; the subject's next one may follow. */
  ended(due: DueDelivery): void {
    if (isFirst(due)) this.#busySubjects.delete(due.subject);
  }

  recorded(due: DueDelivery): void {
    this.#unrecorded.set(due.eventId, 'recorded');
  }

  /** It was not sent after all. */
  putBack(due: DueDelivery): void {
    this.ended(due);
    this.#unrecorded.delete(due.eventId);
  }
}

function isFirst(due: DueDelivery): boolean {
  return due.lastAttemptNo === 0;
}
