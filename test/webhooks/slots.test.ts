import { expect, it } from 'vitest';
import { Slots, sharedSlots } from '../../src/webhooks/delivery/slots.js';

it('no more slots are taken than there are, and they are given in the order of asking', async () => {
  const slots = new Slots(2);
  const taken: string[] = [];
  const take = async (name: string) => {
    const give = await slots.take();
    taken.push(name);
    return give;
  };
  const asked = ['a', 'b', 'c', 'd', 'e'].map(take);
  const [first, second] = await Promise.all(asked.slice(0, 2));
  expect(taken).toEqual(['a', 'b']);
  first?.();
  // Giving the same slot back twice has no effect.
  first?.();
  const third = await asked[2];
  expect(taken).toEqual(['a', 'b', 'c']);
  second?.();
  third?.();
  await Promise.all(asked);
  expect(taken).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it.each([
  [512, 384, 128],
  [4, 3, 1],
  [1, 1, 1],
])('of %i slots %i are never taken by slow endpoints, which have %i', async (count, usual, slow) => {
  const slots = sharedSlots(count);
  const takenOf = async (share: Slots) => {
    let taken = 0;
    const asked = Array.from({ length: count + 1 }, () => share.take().then(() => (taken += 1)));
    await Promise.race(asked.slice(-1).concat(asked));
    await Promise.resolve();
    return taken;
  };
  expect([await takenOf(slots.usual), await takenOf(slots.slow)]).toEqual([usual, slow]);
});
