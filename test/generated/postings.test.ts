import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { postingsPage } from './postings-page.js';

const page = fileURLToPath(new URL('../../docs/postings.md', import.meta.url));

it('docs/postings.md shows the postings of every event (npm run generate renews it)', async () => {
  await expect(postingsPage()).toMatchFileSnapshot(page);
});
