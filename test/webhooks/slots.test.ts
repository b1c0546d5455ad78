import { expect, it } from 'vitest';
import { Slots } from '../../src/webhooks/slots.js';

it('no more are taken than there are, and whoever waits gets one in the order of asking', async () => {
  const slots = new Slots(2);
  const taken: string[] = [];
  const take = async (name: string) => {
    await slots.take();
    taken.push(name);
  };
  const asked = ['a', 'b', 'c', 'd', 'e'].map(take);
  await Promise.all(asked.slice(0, 2));
  expect(taken).toEqual(['a', 'b']);
  slots.give();
  await asked[2];
  expect(taken).toEqual(['a', 'b', 'c']);
  slots.give();
  slots.give();
  await Promise.all(asked);
  expect(taken).toEqual(['a', 'b', 'c', 'd', 'e']);
});
