import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { orderStatesPage } from './order-states-page.js';
import { postingsPage } from './postings-page.js';
import { sandboxValuesPage } from './sandbox-values-page.js';
import { settingsPage } from './settings-page.js';

it.each([
  ['order-states', orderStatesPage],
  ['postings', postingsPage],
  ['sandbox-values', sandboxValuesPage],
  ['settings', settingsPage],
])('docs/%s.md is what the code says (npm run generate renews it)', async (name, page) => {
  await expect(page()).toMatchFileSnapshot(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)));
});

it('docs/order-states.md says nothing about freezes', () => {
  expect(orderStatesPage()).not.toMatch(/froz|freez/i);
});
