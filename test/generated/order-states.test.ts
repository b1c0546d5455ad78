import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { orderStatesPage } from './order-states-page.js';

const page = fileURLToPath(new URL('../../docs/order-states.md', import.meta.url));

it('docs/order-states.md shows the table of order states (npm run generate renews it)', async () => {
  await expect(orderStatesPage()).toMatchFileSnapshot(page);
});

it('docs/order-states.md says nothing about freezes', () => {
  expect(orderStatesPage()).not.toMatch(/froz|freez/i);
});
