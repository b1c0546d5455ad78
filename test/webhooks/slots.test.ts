import { expect, it } from 'vitest';
import { sharedSlots } from '../../src/webhooks/delivery/slots.js';

it.each([
  [512, 384, 128],
  [4, 3, 1],
  [1, 1, 1],
])(
  'reserves a quarter of %i slots for slow endpoints: %i for the others, %i for them',
  (count, usual, slow) => {
    const slots = sharedSlots(count);
    expect([slots.usual.permits, slots.slow.permits]).toEqual([usual, slow]);
  },
);
