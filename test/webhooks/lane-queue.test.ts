import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DueDelivery } from '../../src/webhooks/delivery/delivery.js';
import { LaneQueue } from '../../src/webhooks/delivery/lane-queue.js';
import type { EventId } from '../../src/webhooks/event.js';

function due(number: number, subject: string, lastAttemptNo = 0): DueDelivery {
  return {
    eventId: `evt_${number}` as EventId,
    subject,
    sequence: BigInt(number),
    attempts: lastAttemptNo,
    lastAttemptNo,
    injectedFault: undefined,
    type: 'kyc.submitted',
    occurredAt: new Date(0),
    objectText: '{}',
    previousStatus: null,
  };
}

describe('what is sent next', () => {
  it('is never a first attempt whose subject has one in flight; a retry does not wait', () => {
    const queue = new LaneQueue();
    const [a1, a2, b3, a4] = [due(1, 'a'), due(2, 'a'), due(3, 'b'), due(4, 'a', 1)] as const;
    queue.load([a1, a2, b3, a4]);
    expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual([a1, b3, a4, undefined]);
    queue.ended(a1);
    expect(queue.next()).toBe(a2);
  });

  it('is not what is in flight, until it is recorded and the database was asked again', () => {
    const queue = new LaneQueue();
    const first = due(1, 'a');
    queue.load([first]);
    expect(queue.next()).toBe(first);
    queue.ended(first);
    queue.beginLoad();
    queue.load([first]);
    expect(queue.isEmpty).toBe(true);
    queue.beginLoad();
    queue.recorded(first);
    queue.load([first]);
    expect(queue.isEmpty).toBe(true);
    queue.beginLoad();
    queue.load([due(1, 'a', 1)]);
    expect(queue.isEmpty).toBe(false);
  });

  it('is again what was put back unsent', () => {
    const queue = new LaneQueue();
    const first = due(1, 'a');
    queue.load([first]);
    queue.next();
    queue.putBack(first);
    queue.load([first]);
    expect(queue.next()).toBe(first);
  });
});

it('with any number of lanes and any order of answers, first attempts of a subject begin in order, one after the other', () => {
  const subjects = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      subjects,
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
      (named, lanes, choices) => {
        const queue = new LaneQueue();
        const all = named.map((subject, index) => due(index + 1, subject));
        queue.load(all);
        const underWay: DueDelivery[] = [];
        const begun: DueDelivery[] = [];
        while (begun.length < all.length || underWay.length > 0) {
          const next = underWay.length < lanes ? queue.next() : undefined;
          if (next) {
            expect(underWay.map(({ subject }) => subject)).not.toContain(next.subject);
            underWay.push(next);
            begun.push(next);
          } else {
            const [ended] = underWay.splice((choices.next().value as number) % underWay.length, 1);
            queue.ended(ended as DueDelivery);
          }
        }
        for (const subject of ['a', 'b', 'c', 'd']) {
          const order = begun.filter((due) => due.subject === subject).map(({ sequence }) => sequence);
          expect(order).toEqual(order.toSorted((left, right) => Number(left) - Number(right)));
        }
      },
    ),
  );
});
